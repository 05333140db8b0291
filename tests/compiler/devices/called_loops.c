// Loops that call a function for each row: lanes share them as if the function stood in the loop, where the function only
// computes and stores. Each case gives what the serial program gives.
// RUN: %cilk2chan --device=emulated %s -o %t.out 2>&1 | count 0
// RUN: %cilk2chan --serial -ffp-contract=off %s -o %t.serial
// RUN: %t.serial > %t.expected
// RUN: env CHANNELS_DEVICE=emulated %t.out | diff - %t.expected
// RUN: env CHANNELS_DEVICE=emulated CHANNELS_FORCE_YIELD=0.5 %t.out | diff - %t.expected
// RUN: %cilk2chan --device=emulated --explain --emit=tasks %s 2>&1 >/dev/null | FileCheck %s
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

#define SIZE 4096
static double *a, *b, *c;
static int offset = 3, calls;
typedef struct {
  long weight;
  int parts[2];
} cell;
static cell cells[SIZE];

static void axpy(double s, double* x, double* y, int n) {
  int i;
  for (i = 0; i < n; i++) y[i] += s * x[i];
}

// Rows in registers, across the call; the names of both functions are the same.
static void product(double* x, double* y, double* z, int n, int row) {
  // CHECK: product: its loops on a GPU
  // CHECK-NEXT: line [[# @LINE + 2]]: eight at a time on each lane
  // CHECK-NEXT: line [[# @LINE + 2]]: one after the other on each lane
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++) axpy(-x[i * row + k], y + k * row, &z[i * row], n);
}

// Each lane takes its part of all rows of a triangle, in place.
static void solve(double* l, double* z, int n, int row) {
  // CHECK: solve: its loops on a GPU
  // CHECK-NEXT: line [[# @LINE + 1]]: one after the other on each lane
  for (int i = 1; i < n; i++) {
    // CHECK-NEXT: line [[# @LINE + 1]]: one after the other on each lane
    for (int k = 0; k < i; k++) {
      axpy(-l[i * row + k], z + k * row, z + i * row, n);
    }
  }
}

// A call in a call, arguments that the function changes, a branch, and a part of a structure.
static void set_part(cell* of, int which, long value) {
  if (value < 0) value = -value;
  value += which;
  if (which == 0)
    of->parts[0] = (int)(value % 100);
  else
    of->weight = value;
}
static void set_both(cell* of, long value) {
  set_part(of, 0, value);
  set_part(of, 1, value * 2);
}
static void fill(cell* of, int from, int n) {
  // CHECK: fill: its loops on a GPU
  // CHECK-NEXT: line [[# @LINE + 1]]: side by side on lanes
  for (int i = 0; i < n; i++) set_both(&of[from + i], 7 * i - 300L);
}

// A local array, a conditional value and a function of the library.
static void smooth(double* to, const double* from, int i, int n) {
  double near[3] = {0.0, from[i], 0.0};
  near[0] = i > 0 ? from[i - 1] : near[1];
  if (i + 1 < n) near[2] = from[i + 1];
  to[i] = (near[0] + near[1] + (near[2])) / 3 + __builtin_fabs(near[1]);
}
static void smoothed(double* to, const double* from, int n) {
  // CHECK: smoothed: its loops on a GPU
  // CHECK-NEXT: line [[# @LINE + 1]]: side by side on lanes
  for (int i = 0; i < n; i++) smooth(to, from, i, n);
}

// A variable of the file, and one of the caller's that has its name.
static void shift(double* to, int i) { to[i] += offset; }
static void shifted_there(double* to, int n) {
  int offset = 2;
  // CHECK: shifted_there: its loops on a GPU
  // CHECK-NEXT: line [[# @LINE + 1]]: one after the other
  for (int i = offset; i < n; i++) shift(to, i);
}
static void shifted(double* to, int n) {
  // CHECK: shifted: its loops on a GPU
  // CHECK-NEXT: line [[# @LINE + 1]]: side by side on lanes
  for (int i = 1; i < n; i++) shift(to, i);
}

// Each of these stays a call.
static void count(double* to) {
  ++calls;
  *to += 1;
}
static int halve(double* to) {
  if (*to < 1) return 0;
  *to /= 2;
  return 1;
}
static void turned(double* to, int n) {
  double swap = *to;
  to[0] = to[n];
  to[n] = swap;
}
static void kept(double* to, int n) {
  // CHECK: kept: its loops on a GPU
  // CHECK-NEXT: line [[# @LINE + 1]]: one after the other
  for (int i = 0; i < n; i++) count(to + i);
  // CHECK-NEXT: line [[# @LINE + 1]]: one after the other
  for (int i = 0; i < n; i++) halve(to + i);
  // The places of two iterations overlap.
  // CHECK-NEXT: line [[# @LINE + 1]]: one after the other
  for (int i = 0; i < n; i++) turned(to + i, 1);
  // An argument has an effect.
  int at = 0;
  // CHECK-NEXT: line [[# @LINE + 1]]: one after the other
  for (int i = 0; i < n; i++) shift(to, at++);
}

static void show(const char* what) {
  double sum = 0;
  for (int i = 0; i < SIZE; i++) sum = sum * 0.999 + a[i] * 3 + b[i] * 5 + c[i] * (i % 7);
  long all = 0;
  for (int i = 0; i < SIZE; i++) all = all * 31 + cells[i].weight + cells[i].parts[0] * 17;
  printf("%s: %.17g %ld %d\n", what, sum, all, calls);
}

static void run(int which, int n) {
  switch (which) {
    case 0: cilk_spawn product(a, b, c, n, 40); break;
    case 1: cilk_spawn product(a, b, a + 40, n, 40); break;  // rows overlap what is read
    case 2: cilk_spawn product(a, b, c, n, 1); break;        // and each other
    case 3: cilk_spawn solve(a, c, n, 64); break;
    case 4: cilk_spawn solve(c, c, n, 64); break;
    case 5: cilk_spawn fill(cells, 100, n * 50); break;
    case 6: cilk_spawn smoothed(c, a, n * 40); break;
    case 7: cilk_spawn smoothed(c + 1, c, n * 40); break;
    case 8: cilk_spawn shifted(b, n * 40); break;
    case 9: cilk_spawn shifted_there(b, n * 40); break;
    case 10: cilk_spawn kept(c, n * 40); break;
  }
  cilk_sync;
}

int main(void) {
  a = (double*)malloc(SIZE * sizeof(double));
  b = (double*)malloc(SIZE * sizeof(double));
  c = (double*)malloc(SIZE * sizeof(double));
  for (int i = 0; i < SIZE; i++) a[i] = i % 13 * 0.125, b[i] = i % 17 * 0.25 - 1, c[i] = i % 29;
  for (int n = 1; n < 40; n += 12)
    for (int which = 0; which <= 10; which++) {
      for (int i = 0; i < SIZE; i++) c[i] = i % 29 * 0.01;
      run(which, n);
      printf("%d %d ", n, which);
      show("sum");
    }
  return 0;
}
