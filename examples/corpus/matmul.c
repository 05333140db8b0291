/* C += A * B by halving the longest of the three sides until the problem is small. Halves of m and
 * of p are independent; halves of n add to the same C, so a sync stands between them. */
#include <cilk/cilk.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "timing.h"

#define REAL double
#define SMALL(m, n, p) ((m) + (n) + (p) <= 96)

static void zero(REAL* A, int n) { memset(A, 0, (size_t)n * n * sizeof(REAL)); }

static void init(REAL* A, int n) {
  int i, j;
  for (i = 0; i < n; i++)
    for (j = 0; j < n; j++) A[(size_t)i * n + j] = (REAL)((i * 31 + j * 17) % 101) / 8.0;
}

static REAL maxerror(REAL* A, REAL* B, int n) {
  size_t i;
  REAL error = 0.0;
  for (i = 0; i < (size_t)n * n; i++) {
    REAL diff = fabs(A[i] - B[i]);
    if (A[i] != 0) diff /= fabs(A[i]);
    if (diff > error) error = diff;
  }
  return error;
}

static void iter_matmul(REAL* A, REAL* B, REAL* C, int n) {
  int i, j, k;
  for (i = 0; i < n; i++)
    for (k = 0; k < n; k++)
      for (j = 0; j < n; j++) C[(size_t)i * n + j] += A[(size_t)i * n + k] * B[(size_t)k * n + j];
}

static void base_matmul(REAL* A, REAL* B, REAL* C, int m, int n, int p, int ld) {
  int i, j, k;
  for (i = 0; i < m; i++)
    for (k = 0; k < n; k++) {
      REAL a = A[(size_t)i * ld + k];
      REAL *b = B + (size_t)k * ld, *c = C + (size_t)i * ld;
      for (j = 0; j < p; j++) c[j] += a * b[j];
    }
}

/* A is m x n, B is n x p, C is m x p, all parts of matrices with rows of ld elements. */
void rec_matmul(REAL* A, REAL* B, REAL* C, int m, int n, int p, int ld) {
  if (SMALL(m, n, p)) {
    base_matmul(A, B, C, m, n, p, ld);
  } else if (m >= n && n >= p) {
    int m1 = m >> 1;
    cilk_spawn rec_matmul(A, B, C, m1, n, p, ld);
    cilk_spawn rec_matmul(A + (size_t)m1 * ld, B, C + (size_t)m1 * ld, m - m1, n, p, ld);
  } else if (n > m && n >= p) {
    int n1 = n >> 1;
    cilk_spawn rec_matmul(A, B, C, m, n1, p, ld);
    cilk_sync;
    cilk_spawn rec_matmul(A + n1, B + (size_t)n1 * ld, C, m, n - n1, p, ld);
  } else {
    int p1 = p >> 1;
    cilk_spawn rec_matmul(A, B, C, m, n, p1, ld);
    cilk_spawn rec_matmul(A, B + p1, C + p1, m, n, p - p1, ld);
  }
  cilk_sync;
  return;
}

void report(REAL* C, int n) {
  size_t i;
  REAL sum = 0.0;
  for (i = 0; i < (size_t)n * n; i++) sum += C[i] * (REAL)(i % 7);
  printf("matmul %d: checksum %.3f\n", n, sum);
}

int main(int argc, char* argv[]) {
  int n = 100, check = 0, i;
  REAL *A, *B, *C1, *C2, err = 0.0;

  argc = timing_option(argc, argv);
  for (i = 1; i < argc; i++) {
    if (strcmp(argv[i], "-c") == 0)
      check = 1;
    else
      n = atoi(argv[i]);
  }
  A = (REAL*)malloc((size_t)n * n * sizeof(REAL));
  B = (REAL*)malloc((size_t)n * n * sizeof(REAL));
  C1 = (REAL*)malloc((size_t)n * n * sizeof(REAL));
  C2 = (REAL*)malloc((size_t)n * n * sizeof(REAL));
  init(A, n);
  init(B, n);
  zero(C1, n);
  zero(C2, n);

  timing_begin();
  rec_matmul(A, B, C2, n, n, n, n);
  timing_end();
  report(C2, n);

  if (check) {
    iter_matmul(A, B, C1, n);
    err = maxerror(C1, C2, n);
    printf("%s\n", err < 1e-9 ? "product is right" : "WRONG");
  }
  free(C2);
  free(C1);
  free(B);
  free(A);
  return err < 1e-9 ? 0 : 1;
}
