/* Karatsuba's product of polynomials with integer coefficients modulo 2^32; sums and products of
 * halves are arrays of variable length in the frame that spawns. */
#include <cilk/cilk.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "timing.h"

typedef uint32_t u32;
static int cutoff = 32;

static void schoolbook(const u32* restrict a, const u32* restrict b, u32* restrict r, int n) {
  memset(r, 0, (2 * n - 1) * sizeof(u32));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) r[i + j] += a[i] * b[j];
}

/* r[0, 2n - 1) = a[0, n) * b[0, n) */
void karatsuba(const u32* a, const u32* b, u32* r, int n) {
  if (n <= cutoff) {
    schoolbook(a, b, r, n);
    return;
  }
  const int low = n / 2, high = n - low;
  u32 sum_a[high], sum_b[high], middle[2 * high - 1];

  cilk_spawn karatsuba(a, b, r, low);
  cilk_spawn karatsuba(a + low, b + low, r + 2 * low, high);
  for (int i = 0; i < high; i++) {
    sum_a[i] = a[low + i] + (i < low ? a[i] : 0);
    sum_b[i] = b[low + i] + (i < low ? b[i] : 0);
  }
  karatsuba(sum_a, sum_b, middle, high);
  cilk_sync;

  for (int i = 0; i < 2 * low - 1; i++) middle[i] -= r[i];
  for (int i = 0; i < 2 * high - 1; i++) middle[i] -= r[2 * low + i];
  r[2 * low - 1] = 0;
  for (int i = 0; i < 2 * high - 1; i++) r[low + i] += middle[i];
}

static u32 value_at(const u32* p, int n, u32 x) {
  u32 v = 0;
  while (n-- > 0) v = v * x + p[n];
  return v;
}

int main(int argc, char** argv) {
  int n = 1000, good;
  u32 hash = 0;

  argc = timing_option(argc, argv);
  if (argc > 1) n = atoi(argv[1]);
  if (argc > 2) cutoff = atoi(argv[2]);
  if (n < 1 || cutoff < 2) return 1;
  u32* a = malloc(n * sizeof *a);
  u32* b = malloc(n * sizeof *b);
  u32* r = malloc((2 * n - 1) * sizeof *r);
  for (int i = 0; i < n; i++) {
    a[i] = (u32)i * 2654435761u;
    b[i] = ~(u32)i * 40503u;
  }

  timing_begin();
  karatsuba(a, b, r, n);
  timing_end();

  good = value_at(a, n, 3) * value_at(b, n, 3) == value_at(r, 2 * n - 1, 3);
  good &= value_at(a, n, 10) * value_at(b, n, 10) == value_at(r, 2 * n - 1, 10);
  for (int i = 0; i < 2 * n - 1; i++) hash = hash * 31 + r[i];
  printf("karatsuba %d: hash %08x, %s\n", n, (unsigned)hash, good ? "right" : "WRONG");
  free(a);
  free(b);
  free(r);
  return good ? 0 : 1;
}
