/* The product of two matrices in three loops, of which cilk_for makes two parallel; the matrices
 * are tables. */
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

#include "timing.h"

#define MAX 1024
#define TILE 32
#define min(a, b) ((a) < (b) ? (a) : (b))

static int n = 96;
static double A[MAX][MAX], B[MAX][MAX], C[MAX][MAX];

static void fill(void) {
  cilk_for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      A[i][j] = (i * 13 + j * 7) % 19 - 9;
      B[i][j] = (i * 5 + j * 11) % 23 - 11;
    }
}

static void tile(int i0, int j0) {
  int i1 = min(i0 + TILE, n), j1 = min(j0 + TILE, n);
  for (int k = 0; k < n; k++)
    for (int i = i0; i < i1; i++)
      for (int j = j0; j < j1; j++) C[i][j] += A[i][k] * B[k][j];
}

static void multiply(void) {
#pragma cilk grainsize 1
  cilk_for (int i = 0; i < n; i += TILE) {
    cilk_for (int j = 0; j < n; j += TILE) {
      tile(i, j);
    }
  }
}

/* All numbers are small integers, so the sums are exact. */
static int check(void) {
  for (int r = 0; r < n; r++) {
    double left = 0, right = 0;
    for (int k = 0; k < n; k++) {
      double bx = 0;
      for (int j = 0; j < n; j++) bx += B[k][j] * (j % 3);
      left += A[r][k] * bx;
    }
    for (int j = 0; j < n; j++) right += C[r][j] * (j % 3);
    if (left != right) return 0;
    if (r == 7) r = n > 16 ? n - 9 : r; /* the first and the last eight rows */
  }
  return 1;
}

int main(int argc, char** argv) {
  double sum = 0;
  int good;

  argc = timing_option(argc, argv);
  if (argc > 1) n = atoi(argv[1]);
  if (n < 1 || n > MAX) {
    fprintf(stderr, "Usage: matmul_for [-t] [<n from 1 to %d>]\n", MAX);
    return 1;
  }
  fill();
  timing_begin();
  multiply();
  timing_end();
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) sum += C[i][j] * ((i ^ j) & 7);
  good = check();
  printf("matmul_for %d: %.0f, %s\n", n, sum, good ? "product is right" : "WRONG");
  return good ? 0 : 1;
}
