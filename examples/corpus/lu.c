/* LU decomposition without pivoting, in place, by recursion over quarters of a matrix of blocks. */
#include <cilk/cilk.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "timing.h"

#define BLOCK_SIZE 16

typedef double Block[BLOCK_SIZE][BLOCK_SIZE];
typedef Block* Matrix;

/* A part of a matrix is a pointer to its first block; `width`, the blocks in a row of the whole, is
 * a global. */
static int width;

#define BLOCK(B, I, J) (B[(I) * width + (J)])
#define PART(M, I, J) (&BLOCK(M, I, J))

static void elem_daxpy(double a, double* x, double* y) {
  int i;
  for (i = 0; i < BLOCK_SIZE; i++) y[i] += a * x[i];
}

static void block_lu(Block B) {
  int i, k;
  for (k = 0; k < BLOCK_SIZE; k++)
    for (i = k + 1; i < BLOCK_SIZE; i++) {
      int j;
      B[i][k] /= B[k][k];
      for (j = k + 1; j < BLOCK_SIZE; j++) B[i][j] -= B[i][k] * B[k][j];
    }
}

/* B = L^-1 * B, with L's diagonal of ones. */
static void block_lower_solve(Block B, Block L) {
  int i, k;
  for (i = 1; i < BLOCK_SIZE; i++)
    for (k = 0; k < i; k++) elem_daxpy(-L[i][k], B[k], B[i]);
}

/* B = B * U^-1. */
static void block_upper_solve(Block B, Block U) {
  int i, k, j;
  for (i = 0; i < BLOCK_SIZE; i++)
    for (k = 0; k < BLOCK_SIZE; k++) {
      B[i][k] /= U[k][k];
      for (j = k + 1; j < BLOCK_SIZE; j++) B[i][j] -= B[i][k] * U[k][j];
    }
}

static void block_schur(Block B, Block A, Block C) {
  int i, k;
  for (i = 0; i < BLOCK_SIZE; i++)
    for (k = 0; k < BLOCK_SIZE; k++) elem_daxpy(-A[i][k], C[k], B[i]);
}

/* M -= V * W */
void schur(Matrix M, Matrix V, Matrix W, int nb) {
  int hnb;

  if (nb == 1) {
    block_schur(*M, *V, *W);
    return;
  }
  hnb = nb / 2;
  cilk_spawn schur(PART(M, 0, 0), PART(V, 0, 0), PART(W, 0, 0), hnb);
  cilk_spawn schur(PART(M, 0, hnb), PART(V, 0, 0), PART(W, 0, hnb), hnb);
  cilk_spawn schur(PART(M, hnb, 0), PART(V, hnb, 0), PART(W, 0, 0), hnb);
  schur(PART(M, hnb, hnb), PART(V, hnb, 0), PART(W, 0, hnb), hnb);
  cilk_sync;
  cilk_spawn schur(PART(M, 0, 0), PART(V, 0, hnb), PART(W, hnb, 0), hnb);
  cilk_spawn schur(PART(M, 0, hnb), PART(V, 0, hnb), PART(W, hnb, hnb), hnb);
  cilk_spawn schur(PART(M, hnb, 0), PART(V, hnb, hnb), PART(W, hnb, 0), hnb);
  schur(PART(M, hnb, hnb), PART(V, hnb, hnb), PART(W, hnb, hnb), hnb);
}

void lower_solve(Matrix M, Matrix L, int nb);

static void aux_lower_solve(Matrix Ma, Matrix Mb, Matrix L, int nb) {
  cilk_spawn lower_solve(Ma, PART(L, 0, 0), nb);
  cilk_sync;
  cilk_spawn schur(Mb, PART(L, nb, 0), Ma, nb);
  cilk_sync;
  lower_solve(Mb, PART(L, nb, nb), nb);
}

void lower_solve(Matrix M, Matrix L, int nb) {
  int hnb;

  if (nb == 1) {
    block_lower_solve(*M, *L);
    return;
  }
  hnb = nb / 2;
  cilk_spawn aux_lower_solve(PART(M, 0, 0), PART(M, hnb, 0), L, hnb);
  cilk_spawn aux_lower_solve(PART(M, 0, hnb), PART(M, hnb, hnb), L, hnb);
}

void upper_solve(Matrix M, Matrix U, int nb);

static void aux_upper_solve(Matrix Ma, Matrix Mb, Matrix U, int nb) {
  upper_solve(Ma, PART(U, 0, 0), nb);
  schur(Mb, Ma, PART(U, 0, nb), nb);
  upper_solve(Mb, PART(U, nb, nb), nb);
}

void upper_solve(Matrix M, Matrix U, int nb) {
  int hnb;

  if (nb == 1) {
    block_upper_solve(*M, *U);
    return;
  }
  hnb = nb / 2;
  cilk_spawn aux_upper_solve(PART(M, 0, 0), PART(M, 0, hnb), U, hnb);
  cilk_spawn aux_upper_solve(PART(M, hnb, 0), PART(M, hnb, hnb), U, hnb);
  cilk_sync;
}

void lu(Matrix M, int nb) {
  int hnb;

  if (nb == 1) {
    block_lu(*M);
    return;
  }
  hnb = nb / 2;
  lu(PART(M, 0, 0), hnb);
  cilk_spawn lower_solve(PART(M, 0, hnb), PART(M, 0, 0), hnb);
  cilk_spawn upper_solve(PART(M, hnb, 0), PART(M, 0, 0), hnb);
  cilk_sync;
  schur(PART(M, hnb, hnb), PART(M, hnb, 0), PART(M, 0, hnb), hnb);
  lu(PART(M, hnb, hnb), hnb);
}

void init_matrix(Matrix M, int nb) {
  unsigned seed = 1;
  int I, J, i, j;
  width = nb;
  for (I = 0; I < nb; I++)
    for (J = 0; J < nb; J++)
      for (i = 0; i < BLOCK_SIZE; i++)
        for (j = 0; j < BLOCK_SIZE; j++) {
          seed = seed * 1103515245u + 12345u;
          BLOCK(M, I, J)[i][j] = (double)(seed >> 8 & 0xffff) / 65536.0;
        }
  /* Heavy on the diagonal: no pivots are needed then. */
  for (I = 0; I < nb; I++)
    for (i = 0; i < BLOCK_SIZE; i++) BLOCK(M, I, I)[i][i] += 10.0 * nb;
}

#define AT(M, r, c) \
  (BLOCK(M, (r) / BLOCK_SIZE, (c) / BLOCK_SIZE)[(r) % BLOCK_SIZE][(c) % BLOCK_SIZE])

/* Rows of L * U against those of the matrix as it was; every `step`-th row. */
int report(Matrix LU, Matrix M, int nb) {
  int n = nb * BLOCK_SIZE, step = n > 256 ? n / 16 - 1 : 1, r, c, k;
  double worst = 0.0, sum = 0.0;
  for (r = 0; r < n; r += step)
    for (c = 0; c < n; c++) {
      double v = r <= c ? AT(LU, r, c) : 0.0, diff;
      for (k = 0; k < r && k <= c; k++) v += AT(LU, r, k) * AT(LU, k, c);
      diff = fabs(v - AT(M, r, c));
      if (diff > worst) worst = diff;
    }
  for (r = 0; r < n; r++)
    for (c = 0; c < n; c++) sum += fabs(AT(LU, r, c));
  printf("lu %d x %d: checksum %.6f, %s\n", n, n, sum, worst < 1e-6 ? "L * U = A" : "WRONG");
  return worst < 1e-6;
}

int main(int argc, char* argv[]) {
  int n = 128, good;
  size_t bytes;
  Matrix M, copy;

  argc = timing_option(argc, argv);
  if (argc > 2 && strcmp(argv[1], "-n") == 0) n = atoi(argv[2]);
  if (n < BLOCK_SIZE || (n & -n) != n) {
    fprintf(stderr, "Usage: lu [-t] [-n <a power of two, at least %d>]\n", BLOCK_SIZE);
    return 1;
  }
  bytes = (size_t)n * n * sizeof(double);
  M = (Matrix)malloc(bytes);
  copy = (Matrix)malloc(bytes);
  init_matrix(M, n / BLOCK_SIZE);
  memcpy(copy, M, bytes);

  timing_begin();
  lu(M, n / BLOCK_SIZE);
  timing_end();

  good = report(M, copy, n / BLOCK_SIZE);
  free(M);
  free(copy);
  return good ? 0 : 1;
}
