/* The product of rectangular matrices that are stored as square blocks, halving the longest side.
 * Every function returns how many floating-point operations it made, as a sum of what its parts
 * return. */
#include <cilk/cilk.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "timing.h"

#define BLOCK_EDGE 16
#define BLOCK_SIZE (BLOCK_EDGE * BLOCK_EDGE)

typedef double block[BLOCK_SIZE];
typedef block* pblock;

/* R = A * B, or R += A * B. */
long long mult_block(double* A, double* B, double* R, int add) {
  int i, j, k;
  for (i = 0; i < BLOCK_EDGE; i++) {
    double sum[BLOCK_EDGE];
    for (j = 0; j < BLOCK_EDGE; j++) sum[j] = add ? R[i * BLOCK_EDGE + j] : 0.0;
    for (k = 0; k < BLOCK_EDGE; k++)
      for (j = 0; j < BLOCK_EDGE; j++) sum[j] += A[i * BLOCK_EDGE + k] * B[k * BLOCK_EDGE + j];
    for (j = 0; j < BLOCK_EDGE; j++) R[i * BLOCK_EDGE + j] = sum[j];
  }
  return add ? 2LL * BLOCK_SIZE * BLOCK_EDGE : 2LL * BLOCK_SIZE * BLOCK_EDGE - BLOCK_SIZE;
}

/* All sizes and rows (oa, ob, orr) are in blocks: A is x by y, B is y by z, R is x by z. */
long long multiply_matrix(pblock A, long oa, pblock B, long ob, long x, long y, long z, pblock R,
                          long orr, int add) {
  if (x + y + z == 3) return mult_block(A[0], B[0], R[0], add);

  if (x >= y && x >= z) {
    long long first, second;
    first = cilk_spawn multiply_matrix(A, oa, B, ob, x / 2, y, z, R, orr, add);
    second = multiply_matrix(A + (x / 2) * oa, oa, B, ob, (x + 1) / 2, y, z, R + (x / 2) * orr, orr,
                             add);
    cilk_sync;
    return first + second;
  }
  if (y > x && y > z) {
    /* One after the other: both add to R. */
    long long flops =
        multiply_matrix(A + (y / 2), oa, B + (y / 2) * ob, ob, x, (y + 1) / 2, z, R, orr, add);
    return flops + multiply_matrix(A, oa, B, ob, x, y / 2, z, R, orr, 1);
  }
  {
    long long flops = 0;
    flops += cilk_spawn multiply_matrix(A, oa, B, ob, x, y, z / 2, R, orr, add);
    long long rest =
        multiply_matrix(A, oa, B + (z / 2), ob, x, y, (z + 1) / 2, R + (z / 2), orr, add);
    cilk_sync;
    return flops + rest;
  }
}

void init_matrix(pblock R, long x, long y, long o, double v) {
  long i, j;
  for (i = 0; i < x; i++)
    for (j = 0; j < y; j++) {
      double* q = R[i * o + j];
      int k;
      for (k = 0; k < BLOCK_SIZE; k++) q[k] = v * ((i + j + k) % 5 - 1);
    }
}

static double element(pblock R, long o, long i, long j) {
  return R[(i / BLOCK_EDGE) * o + j / BLOCK_EDGE][(i % BLOCK_EDGE) * BLOCK_EDGE + j % BLOCK_EDGE];
}

/* A sum over R, and some elements against a row times a column. */
int report(pblock A, pblock B, pblock R, long x, long y, long z, long long flops) {
  long i, j, k, good = 1;
  double sum = 0.0;
  for (i = 0; i < x * BLOCK_EDGE; i++)
    for (j = 0; j < z * BLOCK_EDGE; j++) {
      sum += element(R, z, i, j) * ((i + 3 * j) % 7);
      if ((i * 131 + j * 37) % 101 == 0) {
        double r = 0.0;
        for (k = 0; k < y * BLOCK_EDGE; k++) r += element(A, y, i, k) * element(B, z, k, j);
        if (fabs(r - element(R, z, i, j)) > 1e-9 * (1.0 + fabs(r))) good = 0;
      }
    }
  printf("rectmul %ld x %ld x %ld blocks: %lld flops, checksum %.3f, %s\n", x, y, z, flops, sum,
         good ? "product is right" : "WRONG");
  return (int)good;
}

int main(int argc, char* argv[]) {
  long x = 4, y = 7, z = 5;
  long long flops;
  pblock A, B, R;
  int good;

  argc = timing_option(argc, argv);
  if (argc == 4) {
    x = atol(argv[1]);
    y = atol(argv[2]);
    z = atol(argv[3]);
  }
  if ((argc != 1 && argc != 4) || x < 1 || y < 1 || z < 1) {
    fprintf(stderr, "Usage: rectmul [-t] [<x> <y> <z>], in blocks of %d\n", BLOCK_EDGE);
    return 1;
  }
  A = (pblock)malloc(x * y * sizeof(block));
  B = (pblock)malloc(y * z * sizeof(block));
  R = (pblock)malloc(x * z * sizeof(block));
  init_matrix(A, x, y, y, 1.0);
  init_matrix(B, y, z, z, 0.5);

  timing_begin();
  flops = multiply_matrix(A, y, B, z, x, y, z, R, z, 0);
  timing_end();

  good = report(A, B, R, x, y, z, flops);
  free(A);
  free(B);
  free(R);
  return good ? 0 : 1;
}
