/* Strassen's matrix product, in Winograd's form with seven products and fifteen sums: C = A * B,
 * matrices of doubles whose side is a power of two, quadrants by macros, temporaries by malloc. */
#include <cilk/cilk.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "timing.h"

typedef double REAL;

#define BASE 64 /* at and below this side, multiply in the ordinary way */

/* Element and quadrants of a matrix that lies with `row` elements between the beginnings of its
 * rows. */
#define ELEM(m, row, i, j) ((m)[(size_t)(i) * (row) + (j)])
#define Q11(m, row, half) (m)
#define Q12(m, row, half) ((m) + (half))
#define Q21(m, row, half) ((m) + (size_t)(half) * (row))
#define Q22(m, row, half) ((m) + (size_t)(half) * (row) + (half))

#define FOR_ALL(i, j, n)        \
  for (int i = 0; i < (n); i++) \
    for (int j = 0; j < (n); j++)

static REAL* alloc_matrix(int n) { return (REAL*)malloc((size_t)n * n * sizeof(REAL)); }

/* C = A * B, in the ordinary way. */
static void multiply_base(REAL* C, REAL* A, REAL* B, int n, int rowC, int rowA, int rowB) {
  int i, j, k;
  FOR_ALL(row, column, n) ELEM(C, rowC, row, column) = 0.0;
  for (i = 0; i < n; i++)
    for (k = 0; k < n; k++) {
      REAL a = ELEM(A, rowA, i, k);
      for (j = 0; j < n; j++) ELEM(C, rowC, i, j) += a * ELEM(B, rowB, k, j);
    }
}

static void sums_of_a(REAL* A, int rowA, int h, REAL* S1, REAL* S2, REAL* S3, REAL* S4) {
  REAL *a11 = Q11(A, rowA, h), *a12 = Q12(A, rowA, h);
  REAL *a21 = Q21(A, rowA, h), *a22 = Q22(A, rowA, h);
  FOR_ALL(i, j, h) {
    REAL s1 = ELEM(a21, rowA, i, j) + ELEM(a22, rowA, i, j);
    REAL s2 = s1 - ELEM(a11, rowA, i, j);
    ELEM(S1, h, i, j) = s1;
    ELEM(S2, h, i, j) = s2;
    ELEM(S3, h, i, j) = ELEM(a11, rowA, i, j) - ELEM(a21, rowA, i, j);
    ELEM(S4, h, i, j) = ELEM(a12, rowA, i, j) - s2;
  }
}

static void sums_of_b(REAL* B, int rowB, int h, REAL* T1, REAL* T2, REAL* T3, REAL* T4) {
  REAL *b11 = Q11(B, rowB, h), *b12 = Q12(B, rowB, h);
  REAL *b21 = Q21(B, rowB, h), *b22 = Q22(B, rowB, h);
  FOR_ALL(i, j, h) {
    REAL t1 = ELEM(b12, rowB, i, j) - ELEM(b11, rowB, i, j);
    REAL t2 = ELEM(b22, rowB, i, j) - t1;
    ELEM(T1, h, i, j) = t1;
    ELEM(T2, h, i, j) = t2;
    ELEM(T3, h, i, j) = ELEM(b22, rowB, i, j) - ELEM(b12, rowB, i, j);
    ELEM(T4, h, i, j) = t2 - ELEM(b21, rowB, i, j);
  }
}

/* C11 holds P2, C12 holds P3, C21 holds P4 and C22 holds P5; P1, P6 and P7 are by themselves. */
static void combine(REAL* C, int rowC, int h, REAL* P1, REAL* P6, REAL* P7) {
  REAL *c11 = Q11(C, rowC, h), *c12 = Q12(C, rowC, h);
  REAL *c21 = Q21(C, rowC, h), *c22 = Q22(C, rowC, h);
  FOR_ALL(i, j, h) {
    REAL p1 = ELEM(P1, h, i, j), p5 = ELEM(c22, rowC, i, j);
    REAL u2 = p1 + ELEM(P6, h, i, j);
    REAL u3 = u2 + ELEM(P7, h, i, j);
    ELEM(c11, rowC, i, j) = p1 + ELEM(c11, rowC, i, j);
    ELEM(c12, rowC, i, j) = u2 + p5 + ELEM(c12, rowC, i, j);
    ELEM(c21, rowC, i, j) = u3 - ELEM(c21, rowC, i, j);
    ELEM(c22, rowC, i, j) = u3 + p5;
  }
}

void strassen(REAL* C, REAL* A, REAL* B, int n, int rowC, int rowA, int rowB) {
  int h = n / 2;
  REAL *heap, *S1, *S2, *S3, *S4, *T1, *T2, *T3, *T4, *P1, *P6, *P7;

  if (n <= BASE) {
    cilk_spawn multiply_base(C, A, B, n, rowC, rowA, rowB);
    return;
  }

#define NEXT (heap += (size_t)h * h)
  S1 = heap = (REAL*)malloc(11 * (size_t)h * h * sizeof(REAL));
  S2 = NEXT, S3 = NEXT, S4 = NEXT;
  T1 = NEXT, T2 = NEXT, T3 = NEXT, T4 = NEXT;
  P1 = NEXT, P6 = NEXT, P7 = NEXT;
#undef NEXT

  cilk_spawn sums_of_a(A, rowA, h, S1, S2, S3, S4);
  cilk_spawn sums_of_b(B, rowB, h, T1, T2, T3, T4);
  cilk_sync;

  cilk_spawn strassen(P1, Q11(A, rowA, h), Q11(B, rowB, h), h, h, rowA, rowB);
  cilk_spawn strassen(Q11(C, rowC, h), Q12(A, rowA, h), Q21(B, rowB, h), h, rowC, rowA, rowB);
  cilk_spawn strassen(Q12(C, rowC, h), S4, Q22(B, rowB, h), h, rowC, h, rowB);
  cilk_spawn strassen(Q21(C, rowC, h), Q22(A, rowA, h), T4, h, rowC, rowA, h);
  cilk_spawn strassen(Q22(C, rowC, h), S1, T1, h, rowC, h, h);
  cilk_spawn strassen(P6, S2, T2, h, h, h, h);
  strassen(P7, S3, T3, h, h, h, h);
  cilk_sync;

  cilk_spawn combine(C, rowC, h, P1, P6, P7);
  cilk_sync;
  free(S1);
}

void init_matrix(int n, REAL* A, unsigned seed) {
  FOR_ALL(i, j, n) {
    seed = seed * 1664525u + 1013904223u;
    ELEM(A, n, i, j) = (REAL)(seed >> 16) / 65536.0 - 0.5;
  }
}

/* Freivalds: A * (B * x) against C * x, for one x; then a sum over C that depends on the place. */
int report(int n, REAL* A, REAL* B, REAL* C) {
  REAL worst = 0.0, sum = 0.0;
  REAL* x = (REAL*)calloc(2 * (size_t)n, sizeof(REAL));
  REAL* bx = x + n;
  int i, j, good;

  for (i = 0; i < n; i++) x[i] = (i * 7 % 11) / 11.0;
  FOR_ALL(r, c, n) bx[r] += ELEM(B, n, r, c) * x[c];
  for (i = 0; i < n; i++) {
    REAL left = 0.0, right = 0.0;
    for (j = 0; j < n; j++) {
      left += ELEM(A, n, i, j) * bx[j];
      right += ELEM(C, n, i, j) * x[j];
      sum += ELEM(C, n, i, j) * ((i + 2 * j) % 5 - 2);
    }
    if (fabs(left - right) > worst) worst = fabs(left - right);
  }
  free(x);
  good = worst < 1e-9 * n;
  printf("strassen %d x %d: checksum %.6f, %s\n", n, n, sum, good ? "product is right" : "WRONG");
  return good;
}

int main(int argc, char** argv) {
  int n = 256, good;
  REAL *A, *B, *C;

  argc = timing_option(argc, argv);
  if (argc > 1) n = atoi(argv[1]);
  if (n < 1 || (n & (n - 1)) != 0) {
    fprintf(stderr, "strassen: the size must be a power of two, not %d\n", n);
    return 1;
  }
  A = alloc_matrix(n);
  B = alloc_matrix(n);
  C = alloc_matrix(n);
  init_matrix(n, A, 17);
  init_matrix(n, B, 42);

  timing_begin();
  strassen(C, A, B, n, n, n, n);
  timing_end();

  good = report(n, A, B, C);
  free(A);
  free(B);
  free(C);
  return good ? 0 : 1;
}
