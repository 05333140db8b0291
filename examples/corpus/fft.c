/* Fast Fourier transform of a power of two of complex numbers: unshuffle, two transforms of half
 * the size, and a pass of butterflies with coefficients from a table that is itself filled in
 * parallel. */
#include <cilk/cilk.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "timing.h"

#ifndef M_PI
#define M_PI 3.14159265358979323846
#endif

typedef double REAL;
typedef struct {
  REAL re, im;
} COMPLEX;

#define c_re(c) ((c).re)
#define c_im(c) ((c).im)

#define SMALL 128 /* passes over at most so many numbers are loops */
#define BASE 32   /* transforms of at most so many numbers spawn nothing */

/* W[k] = exp(-2 pi i k / n), in [a, b). */
static void compute_w_coefficients(int n, int a, int b, COMPLEX* W) {
  if (b - a < SMALL) {
    int k;
    for (k = a; k < b; k++) {
      REAL angle = 2.0 * M_PI * k / n;
      c_re(W[k]) = cos(angle);
      c_im(W[k]) = -sin(angle);
    }
  } else {
    int ab = (a + b) / 2;
    cilk_spawn compute_w_coefficients(n, a, ab, W);
    compute_w_coefficients(n, ab, b, W);
    cilk_sync;
  }
}

/* The even elements to the first half of out and the odd ones to the second; [a, b) of each half.
 */
static void unshuffle(int a, int b, COMPLEX* in, COMPLEX* out, int m) {
  if (b - a < SMALL) {
    int i;
    for (i = a; i < b; i++) {
      out[i] = in[2 * i];
      out[i + m] = in[2 * i + 1];
    }
  } else {
    int ab = (a + b) / 2;
    cilk_spawn unshuffle(a, ab, in, out, m);
    cilk_spawn unshuffle(ab, b, in, out, m);
    cilk_sync;
  }
}

/* Butterflies [a, b) of the m that join in[0, m) and in[m, 2m). */
static void twiddle(int a, int b, COMPLEX* in, COMPLEX* out, COMPLEX* W, int stride, int m) {
  if (b - a < SMALL) {
    int k;
    for (k = a; k < b; k++) {
      REAL wr = c_re(W[(size_t)k * stride]), wi = c_im(W[(size_t)k * stride]);
      REAL tr = wr * c_re(in[k + m]) - wi * c_im(in[k + m]);
      REAL ti = wr * c_im(in[k + m]) + wi * c_re(in[k + m]);
      COMPLEX even = in[k];
      c_re(out[k]) = c_re(even) + tr;
      c_im(out[k]) = c_im(even) + ti;
      c_re(out[k + m]) = c_re(even) - tr;
      c_im(out[k + m]) = c_im(even) - ti;
    }
  } else {
    int ab = (a + b) / 2;
    cilk_spawn twiddle(a, ab, in, out, W, stride, m);
    cilk_spawn twiddle(ab, b, in, out, W, stride, m);
    cilk_sync;
  }
}

static void fft_base(int n, COMPLEX* in, COMPLEX* out, COMPLEX* W, int stride) {
  int m = n / 2, i;

  if (n == 1) {
    out[0] = in[0];
    return;
  }
  for (i = 0; i < m; i++) {
    out[i] = in[2 * i];
    out[i + m] = in[2 * i + 1];
  }
  fft_base(m, out, in, W, stride * 2);
  fft_base(m, out + m, in + m, W, stride * 2);
  for (i = 0; i < m; i++) {
    REAL wr = c_re(W[(size_t)i * stride]), wi = c_im(W[(size_t)i * stride]);
    REAL tr = wr * c_re(in[i + m]) - wi * c_im(in[i + m]);
    REAL ti = wr * c_im(in[i + m]) + wi * c_re(in[i + m]);
    c_re(out[i]) = c_re(in[i]) + tr;
    c_im(out[i]) = c_im(in[i]) + ti;
    c_re(out[i + m]) = c_re(in[i]) - tr;
    c_im(out[i + m]) = c_im(in[i]) - ti;
  }
}

/* The transform of in, to out; in is overwritten. */
void fft_aux(int n, COMPLEX* in, COMPLEX* out, COMPLEX* W, int stride) {
  int m = n / 2;

  if (n <= BASE) {
    fft_base(n, in, out, W, stride);
    return;
  }
  cilk_spawn unshuffle(0, m, in, out, m);
  cilk_sync;
  cilk_spawn fft_aux(m, out, in, W, stride * 2);
  cilk_spawn fft_aux(m, out + m, in + m, W, stride * 2);
  cilk_sync;
  cilk_spawn twiddle(0, m, in, out, W, stride, m);
  cilk_sync;
  return;
}

void fft(int n, COMPLEX* in, COMPLEX* out) {
  COMPLEX* W = (COMPLEX*)malloc((n + 1) * sizeof(COMPLEX));
  cilk_spawn compute_w_coefficients(n, 0, n + 1, W);
  cilk_sync;
  cilk_spawn fft_aux(n, in, out, W, 1);
  cilk_sync;
  free(W);
}

void init_signal(int n, COMPLEX* in) {
  int i;
  for (i = 0; i < n; i++) {
    c_re(in[i]) = (i * 37 % 101) / 101.0 - 0.25;
    c_im(in[i]) = (i * 53 % 89) / 89.0 - 0.5;
  }
}

/* Parseval's sum, and a few outputs by the definition. */
int report(int n, COMPLEX* out) {
  COMPLEX* in = (COMPLEX*)malloc(n * sizeof(COMPLEX));
  REAL time = 0.0, frequency = 0.0, sum = 0.0, worst = 0.0;
  int i, k, good;
  init_signal(n, in);
  for (i = 0; i < n; i++) {
    time += c_re(in[i]) * c_re(in[i]) + c_im(in[i]) * c_im(in[i]);
    frequency += c_re(out[i]) * c_re(out[i]) + c_im(out[i]) * c_im(out[i]);
    sum += fabs(c_re(out[i])) + fabs(c_im(out[i])) * (i % 3);
  }
  for (k = 1; k < n; k *= 8) {
    REAL re = 0.0, im = 0.0;
    for (i = 0; i < n; i++) {
      REAL angle = 2.0 * M_PI * (REAL)((long long)i * k % n) / n;
      re += c_re(in[i]) * cos(angle) + c_im(in[i]) * sin(angle);
      im += c_im(in[i]) * cos(angle) - c_re(in[i]) * sin(angle);
    }
    re = fabs(re - c_re(out[k])) + fabs(im - c_im(out[k]));
    if (re > worst) worst = re;
  }
  free(in);
  good = fabs(frequency / n - time) < 1e-9 * n && worst < 1e-9 * n;
  printf("fft of %d: checksum %.4f, %s\n", n, sum, good ? "right" : "WRONG");
  return good;
}

int main(int argc, char* argv[]) {
  int n = 4096, good;
  COMPLEX *in, *out;

  argc = timing_option(argc, argv);
  if (argc > 2 && strcmp(argv[1], "-n") == 0) n = atoi(argv[2]);
  if (n < 1 || (n & (n - 1)) != 0) {
    fprintf(stderr, "Usage: fft [-t] [-n <power of two>]\n");
    return 1;
  }
  in = (COMPLEX*)malloc(n * sizeof(COMPLEX));
  out = (COMPLEX*)malloc(n * sizeof(COMPLEX));
  init_signal(n, in);
  timing_begin();
  fft(n, in, out);
  timing_end();
  good = report(n, out);
  free(in);
  free(out);
  return good ? 0 : 1;
}
