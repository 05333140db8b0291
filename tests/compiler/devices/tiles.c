// Nests of three loops that add to rows: lanes keep some rows in registers while the loop over the terms runs, where the
// rows are apart from each other and from what is read. Each case gives what the serial program gives.
// RUN: %cilk2chan --device=emulated %s -o %t.out 2>&1 | count 0
// RUN: %cilk2chan --serial -ffp-contract=off %s -o %t.serial
// RUN: %t.serial > %t.expected
// RUN: env CHANNELS_DEVICE=emulated %t.out | diff - %t.expected
// RUN: env CHANNELS_DEVICE=emulated CHANNELS_FORCE_YIELD=0.5 %t.out | diff - %t.expected
// RUN: %cilk2chan --device=emulated --explain --emit=tasks %s 2>&1 >/dev/null | FileCheck %s
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIZE 4096
static double *a, *b, *c;
static long* counts;
static double table[40][40], left[40][40], right[40][40];

// The order of a product: rows, terms, columns.
static void product(double* x, double* y, double* z, int m, int n, int p, int row) {
  int i, j = -5, k = -7;
  // CHECK: product: its loops on a GPU
  // CHECK-NEXT: line [[# @LINE + 1]]: eight at a time on each lane
  for (i = 0; i < m; i++)
    for (k = 0; k < n; k++) {
      double s = x[(size_t)i * row + k];
      double *from = y + (size_t)k * row, *to = z + (size_t)i * row;
      for (j = 0; j < p; j++) to[j] += s * from[j];
    }
  // The variables live on.
  z[SIZE - 1] += i + 1000 * j + 1000000 * k;
}

// The other order, on tables, downwards and in steps.
static void on_tables(int n, int by) {
  // CHECK: on_tables: its loops on a GPU
  // CHECK-NEXT: line [[# @LINE + 1]]: eight at a time on each lane
  for (int k = n - 1; k >= 0; k -= by)
    for (int i = 0; i < n; i += by)
      for (int j = n - 1; j >= 0; j--) table[i][j] -= left[i][k] * right[k][j];
}

// Integers that wrap, and several reads of what is stored.
static void mixes(long* to, const long* from, long rows, long terms, long row) {
  // CHECK: mixes: its loops on a GPU
  // CHECK-NEXT: line [[# @LINE + 1]]: eight at a time on each lane
  for (long i = 0; i < rows; i++)
    for (long k = 0; k < terms; k++)
      for (long j = 0; j < row; j++) to[i * row + j] = to[i * row + j] * 31 + from[k * row + j] + to[i * row + j] % 7;
}

// Columns that are far apart, so that iterations may take turns in the same memory, and rows not.
static void spread(double* to, const double* from, int rows, int terms, int columns) {
  // CHECK: spread: its loops on a GPU
  // CHECK-NEXT: line [[# @LINE + 1]]: eight at a time on each lane
  for (int i = 0; i < rows; i++)
    for (int k = 0; k < terms; k++)
      for (int j = 0; j < columns; j++) to[j * 400 + i * 20] += from[j * 400 + k * 20] * 0.25;
}

// Each of these is no such nest.
static void triangle(double* x, double* y, double* z, int n, int row) {
  // CHECK: triangle: its loops on a GPU
  // CHECK-NOT: eight at a time
  for (int i = 0; i < n; i++)
    for (int k = 0; k < i; k++)
      for (int j = 0; j < n; j++) z[i * row + j] += x[i * row + k] * y[k * row + j];
}
static void sometimes(double* x, double* y, double* z, int n, int row) {
  // CHECK: sometimes: its loops on a GPU
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++)
        if (x[i * row + k] > 0.5) z[i * row + j] += y[k * row + j];
}
static void in_place(double* z, int n, int row) {
  // CHECK: in_place: its loops on a GPU
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++) z[i * row + j] += z[k * row + j] * 0.5;
}

static void run(int way) {
  if (way == 0) product(a, b, c, 19, 13, 37, 40);
  if (way == 1) product(a, b, c, 8, 1, 2, 64);
  if (way == 2) product(a, b, c, 9, 0, 9, 9);
  if (way == 3) product(a, b, c, 0, 9, 9, 9);
  if (way == 4) product(a, b, c, 9, 9, 0, 9);
  if (way == 5) product(a, b, c, 12, 5, 7, 0);           // all rows are one
  if (way == 6) product(a, b, c, 12, 5, 9, 3);           // rows overlap
  if (way == 7) product(c, b, c, 12, 12, 12, 12);        // what is read is what is stored
  if (way == 8) product(a, c + 5, c, 10, 10, 10, 10);    // and so it is here
  if (way == 9) product(a, c + 400, c, 10, 10, 10, 10);  // next to each other
  if (way == 10) on_tables(40, 1);
  if (way == 11) on_tables(37, 3);
  if (way == 12) mixes(counts, counts + 2048, 21, 5, 33);
  if (way == 13) mixes(counts, counts + 33, 21, 5, 33);
  if (way == 14) triangle(a, b, c, 20, 20);
  if (way == 15) sometimes(a, b, c, 20, 20);
  if (way == 16) in_place(c, 20, 20);
  if (way == 17) spread(c, a, 17, 20, 10);
  if (way == 18) spread(c, c, 17, 20, 10);
}

static void all(int low, int high) {
  if (high - low == 1) {
    run(low);
    return;
  }
  cilk_spawn all(low, (low + high) / 2);
  cilk_sync;  // they share memory
  all((low + high) / 2, high);
}

int main(void) {
  unsigned long seed = 1;
  unsigned long hash = 0;
  a = malloc(SIZE * sizeof *a);
  b = malloc(SIZE * sizeof *b);
  c = malloc(SIZE * sizeof *c);
  counts = malloc(SIZE * sizeof *counts);
  for (int i = 0; i < SIZE; i++) {
    seed = seed * 6364136223846793005UL + 1442695040888963407UL;
    a[i] = (double)(seed >> 40) / (1 << 24);
    b[i] = a[i] * 0.7 - 0.2;
    c[i] = a[i] * 1e-3;
    counts[i] = (long)(seed >> 20);
  }
  for (int i = 0; i < 40; i++)
    for (int j = 0; j < 40; j++) left[i][j] = a[i * 40 + j], right[i][j] = b[i * 40 + j];
  for (int way = 0; way < 19; way++) {
    all(way, way + 1);
    hash = 0;
    for (int i = 0; i < SIZE; i++) {
      unsigned long bits;
      memcpy(&bits, &c[i], sizeof bits);
      hash = hash * 31 + bits + (unsigned long)counts[i];
    }
    for (int i = 0; i < 1600; i++) {
      unsigned long bits;
      memcpy(&bits, &table[i / 40][i % 40], sizeof bits);
      hash = hash * 31 + bits;
    }
    printf("%d %016lx\n", way, hash);
  }
  all(0, 19);
  printf("%.17g %ld\n", c[77], counts[5]);
  return 0;
}
