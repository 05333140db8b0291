// Long loops of functions that spawn, behind a sync and in front of a spawn, are leaves of their own.
// RUN: %device-run-and-compare %s
// RUN: %cilk2chan --device=emulated --explain --emit=tasks %s -o %t.out 2>&1 | FileCheck %s
// CHECK-DAG: ntt_{{.*}}_1_1: lanes of a GPU share its leaves
// CHECK-DAG: ntt_{{.*}}_1_2: lanes of a GPU share its leaves
// CHECK-DAG: blur_{{.*}}_3_1: lanes of a GPU share its leaves
// CHECK-NOT: sums_{{.*}}_1: lanes of a GPU
// CHECK: tasks: 5 of 5 functions
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
typedef unsigned u32;
/* Loops before the spawns and behind them. */
static const u32 p = 998244353u;
static u32 power(u32 b, u32 e) { u32 r = 1; for (; e; e >>= 1) { if (e & 1) r = (unsigned long long)r * b % p; b = (unsigned long long)b * b % p; } return r; }
static void ntt(u32* a, int n, u32 root) {
  if (n == 1) return;
  int half = n / 2;
  u32* even = malloc(half * sizeof *even);
  u32* odd = malloc(half * sizeof *odd);
  for (int i = 0; i < half; i++) { even[i] = a[2 * i]; odd[i] = a[2 * i + 1]; }
  u32 square = (unsigned long long)root * root % p;
  cilk_spawn ntt(even, half, square);
  ntt(odd, half, square);
  cilk_sync;
  for (int k = 0; k < half; k++) {
    u32 t = (unsigned long long)power(root, k) * odd[k] % p;
    a[k] = (even[k] + t) % p;
    a[k + half] = (even[k] + p - t) % p;
  }
  free(even);
  free(odd);
}
/* Counters that are declared at the beginning, and numbers that go on behind the loop. */
static long total(const int* x, int n, int* out, double* mean) {
  int i, j;
  long sum = 0, most = 0;
  double all = 0;
  if (n <= 4) { for (i = 0; i < n; i++) sum += x[i]; return sum; }
  {
    long a, b;
    a = cilk_spawn total(x, n / 2, out, mean);
    b = total(x + n / 2, n - n / 2, out + n / 2, mean + 1);
    cilk_sync;
    sum = a - b;
  }
  for (i = 0; i < n; i++) {
    long here = 0;
    for (j = i; j < i + 3 && j < n; j++) here += x[j];
    out[i] = (int)(here + out[i]);
    sum += here;
    if (here > most) most = here;
    all += here * 0.5;
  }
  mean[0] = all;
  return sum * 3 + most;
}
struct grid {
  int width, height, rounds;
  float* cells;
};

/* A nest, through a structure, and one that is left early and stays where it is. */
static int blur(struct grid* g, float* spare, int depth) {
  struct grid half = {g->width, g->height / 2, 0, g->cells};
  int first = -1;
  if (depth == 0) return 0;
  cilk_spawn blur(&half, spare, depth - 1);
  cilk_sync;
  for (int y = 1; y < g->height - 1; y++) {
    for (int x = 1; x < g->width - 1; x++)
      spare[y * g->width + x] = (g->cells[y * g->width + x - 1] + g->cells[(y - 1) * g->width + x] +
                                 g->cells[(y + 1) * g->width + x]) *
                                0.25f;
  }
  for (int y = 1; y < g->height - 1; y++) {
    for (int x = 1; x < g->width - 1; x++) g->cells[y * g->width + x] = spare[y * g->width + x];
  }
  g->rounds++;
  for (int i = 0; i < g->width * g->height; i++) {
    g->cells[i] += 0.5f;
    if (g->cells[i] > 90) {
      first = i;
      break;
    }
  }
  return first + half.rounds;
}

/* What adds up what children return is no loop for lanes. */
static long sums(int n) {
  long below[4];
  if (n < 3) return n;
  for (int i = 0; i < 4; i++) below[i] = cilk_spawn sums(n - 1 - i % 2);
  cilk_sync;
  long sum = 0;
  for (int i = 0; i < 4; i++) sum += below[i];
  return sum;
}

/* The loop names a type whose length the function around keeps. */
static long sizes(long* out, int n, int w) {
  typedef int line[w];
  if (n < 4) return n;
  long a = cilk_spawn sizes(out, n / 2, w + 1);
  long b = sizes(out + n / 2, n - n / 2, w + 2);
  cilk_sync;
  for (int i = 0; i < n; i++) out[i] += (long)sizeof(line) * i + n;
  return a + b;
}

int main(void) {
  int n = 8192;
  u32* a = malloc(n * sizeof *a);
  int* x = malloc(n * sizeof *x);
  int* out = calloc(n, sizeof *out);
  double* mean = calloc(n, sizeof *mean);
  float* cells = malloc(2 * n * sizeof *cells);
  struct grid g = {128, 64, 0, cells};
  u32 hash = 0;
  for (int i = 0; i < n; i++) {
    a[i] = i * 7919u % 1000;
    x[i] = (i * 37) % 1001;
    cells[i] = (float)(i % 97);
  }
  ntt(a, n, power(3, (p - 1) / n));
  for (int i = 0; i < n; i++) hash = hash * 31 + a[i];
  long t = total(x, n, out, mean);
  for (int i = 0; i < n; i++) hash = hash * 31 + out[i];
  printf("%u %ld %g\n", hash, t, mean[0]);
  int first = blur(&g, cells + n, 3);
  for (int i = 0; i < n; i++) hash = hash * 31 + (u32)(cells[i] * 64);
  printf("%u %d %d %ld\n", hash, first, g.rounds, sums(9));
  long* lengths = calloc(n, sizeof *lengths);
  long counted = sizes(lengths, n, 3);
  for (int i = 0; i < n; i++) hash = hash * 31 + (u32)lengths[i];
  printf("%ld %u\n", counted, hash);
  free(lengths);
  free(a);
  free(x);
  free(out);
  free(mean);
  free(cells);
  return 0;
}
