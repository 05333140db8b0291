// Leaves with long loops: several wavefronts share one, each with a part of the iterations, where nothing else in the
// leaf has an effect. Each case gives what the serial program gives.
// RUN: %cilk2chan --device=emulated %s -o %t.out 2>&1 | count 0
// RUN: %cilk2chan --serial -ffp-contract=off %s -o %t.serial
// RUN: %t.serial > %t.expected
// RUN: env CHANNELS_DEVICE=emulated %t.out | diff - %t.expected
// RUN: env CHANNELS_DEVICE=emulated CHANNELS_CUS=5 %t.out | diff - %t.expected
// RUN: env CHANNELS_DEVICE=emulated CHANNELS_CUS=1 CHANNELS_FORCE_YIELD=0.5 %t.out | diff - %t.expected
// RUN: %cilk2chan --device=emulated --explain --emit=tasks %s 2>&1 >/dev/null | FileCheck %s
// Wavefronts that all run the first part are a mistake that shows:
// RUN: mkdir -p %t.mutant/channels/gpu/compiled_program
// RUN: sed 's/{division.part} \*/{0} */' %S/../../../include/channels/gpu/compiled_program/lanes.hpp > %t.mutant/channels/gpu/compiled_program/lanes.hpp
// RUN: %cilk2chan -O0 --device=emulated -I %t.mutant %s -o %t.mutant.out
// (In one run of ten on a busy machine no wavefront comes to share a leaf.)
// RUN: sh -c 'for run in 1 2 3 4 5 6 7 8; do CHANNELS_DEVICE=emulated CHANNELS_CUS=5 %t.mutant.out | cmp -s %t.expected - || exit 0; done; exit 1'
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

#define SIZE 60000
static double *a, *b;
static long* counts;
static int side = 100;

static void add(double* to, const double* from, long n) {
  // CHECK: {{^}}add: its loops on a GPU
  // CHECK-NEXT: line [[# @LINE + 1]]: {{.*}}; several wavefronts share a long one
  for (long i = 0; i < n; i++) to[i] += from[i] * 0.5;
}

// Quarters of a matrix, whose rows lie between each other; a way out before, and sums behind.
static void quarters(double* c, int row, int h) {
  double *c11 = c, *c12 = c + h, *c21 = c + (long)h * row, *c22 = c21 + h;
  int unused = 0;
  if (h < 1) return;
  // CHECK: {{^}}quarters: its loops on a GPU
  // CHECK-NEXT: line [[# @LINE + 1]]: {{.*}}; several wavefronts share a long one
  for (int i = 0; i < h; i++)
    for (int j = 0; j < h; j++) {
      double sum = c11[i * row + j] + c12[i * row + j];
      c21[i * row + j] = sum - c21[i * row + j];
      c22[i * row + j] += 2 * sum;
      c12[i * row + j] = c22[i * row + j] - c11[i * row + j];
    }
  unused += h;
}

// Rows in registers, over a wide matrix.
static void product(double* z, const double* x, const double* y, int m, int n, int p) {
  // CHECK: {{^}}product: its loops on a GPU
  // CHECK-NEXT: line [[# @LINE + 1]]: eight at a time {{.*}}; several wavefronts share a long one
  for (int i = 0; i < m; i++)
    for (int k = 0; k < n; k++)
      for (int j = 0; j < p; j++) z[i * p + j] += x[i * n + k] * y[k * p + j];
}

// The leaf is a base case, and the loop in a function that it calls.
static void scale_row(double* row, int n, double by) {
  // CHECK: {{^}}scale_row: its loops on a GPU
  // CHECK-NEXT: line [[# @LINE + 1]]: {{.*}}; several wavefronts share a long one
  for (int i = 0; i < n; i++) row[i] = row[i] * by + i % 3;
}
static void halves(double* row, int n, int depth) {
  if (depth == 0) {
    scale_row(row, n, depth + 0.75);
    return;
  }
  cilk_spawn halves(row, n / 2, depth - 1);
  halves(row + n / 2, n - n / 2, depth - 1);
  cilk_sync;
  row[0] += 1;
}

// Each of these is one wavefront's: it reads memory before, it does something behind, it has a result, it has two loops,
// or its sum is joined.
static void reads_before(long* to, long n) {
  // CHECK: {{^}}reads_before: its loops on a GPU
  // CHECK-NOT: several wavefronts
  long first = to[0];
  for (long i = 0; i < n; i++) to[i] += first;
}
static void acts_behind(long* to, long n) {
  // CHECK: {{^}}acts_behind: its loops on a GPU
  for (long i = 1; i < n; i++) to[i] += i;
  to[0] = to[n - 1];
}
static long returns(long* to, long n) {
  // CHECK: {{^}}returns: its loops on a GPU
  for (long i = 0; i < n; i++) to[i] ^= i * 7;
  return n;
}
static void twice(long* to, long n) {
  // CHECK: {{^}}twice: its loops on a GPU
  for (long i = 0; i < n; i++) to[i] += i;
  for (long i = 0; i < n; i++) to[n - 1 - i] += i;
}
static void joins(long* to, long n) {
  // CHECK: {{^}}joins: its loops on a GPU
  long sum = 0;
  for (long i = 0; i < n; i++) sum += to[i];
  to[0] = sum;
}
// CHECK: tasks:

static void show(const char* what) {
  double sum = 0;
  for (int i = 0; i < SIZE; i++) sum = sum * 0.9999 + a[i] * 3 + b[i] * (i % 7);
  unsigned long all = 0;
  for (int i = 0; i < SIZE; i++) all = all * 31 + counts[i];
  printf("%s: %.17g %lu\n", what, sum, all);
}

static void run(int which, int n) {
  long result = 0;
  switch (which) {
    case 0: cilk_spawn add(a, b, n); break;
    case 1: cilk_spawn add(a + 1, a, n); break;  // an iteration reads what another one stores
    case 2: cilk_spawn quarters(a, n / 200, n / 400); break;
    case 3: cilk_spawn quarters(a, n / 400 + 1, n / 400); break;  // rows overlap
    case 4: cilk_spawn product(a, b, b + 1000, 20, 12, n / 40); break;
    case 5: halves(a, n, 2); break;
    case 6: cilk_spawn reads_before(counts, n); break;
    case 7: cilk_spawn acts_behind(counts, n); break;
    case 8: result = cilk_spawn returns(counts, n); break;
    case 9: cilk_spawn twice(counts, n); break;
    case 10: cilk_spawn joins(counts, n); break;
    case 11:
      // Several at once, which share wavefronts.
      for (int i = 0; i < 5; i++) cilk_spawn add(a + i * (n / 5), b + i * 3, n / 5);
      break;
  }
  cilk_sync;
  if (result != 0) counts[1] += result;
}

int main(void) {
  a = (double*)malloc(SIZE * sizeof(double));
  b = (double*)malloc(SIZE * sizeof(double));
  counts = (long*)malloc(SIZE * sizeof(long));
  for (int which = 0; which <= 11; which++)
    for (int n = 400; n <= 40000; n *= 100) {
      for (int i = 0; i < SIZE; i++) a[i] = i % 13 * 0.125, b[i] = i % 17 * 0.25 - 1, counts[i] = i % 29;
      run(which, n);
      printf("%d %d ", n, which);
      show("sum");
    }
  return side == 100 ? 0 : 1;
}
