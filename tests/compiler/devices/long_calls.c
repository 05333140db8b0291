// A call of a function that spawns nothing, with arguments that say that its loops are long, is a leaf of its own,
// so that lanes share them.
// RUN: %cilk2chan --device=emulated --explain %s -o %t 2>&1 | FileCheck %s
// RUN: %cilk2chan --serial -O1 %s -o %t.serial
// RUN: %t.serial > %t.wanted
// RUN: env CHANNELS_DEVICE=emulated %t | diff %t.wanted -
// RUN: env CHANNELS_DEVICE=emulated CHANNELS_FORCE_YIELD=0.3 %t | diff %t.wanted -
// RUN: env CHANNELS_ORDER=channels %t | diff %t.wanted -
// CHECK: add: lanes of a GPU share its leaves
// CHECK: scale: lanes of a GPU share its leaves
// CHECK: clear: lanes of a GPU share its leaves
// CHECK: tasks: 3 of 3 functions
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  int rows, columns;
  double* at;
} table;

static int width = 40;

static void add(const long* a, const long* b, long* to, int n) {
  for (int i = 0; i < n; i++) to[i] = a[i] + b[i];
}
static void scale(table* t, double by) {
  for (int r = 0; r < t->rows; r++)
    for (int c = 0; c < t->columns; c++) t->at[r * t->columns + c] *= by;
}
/* What asks for its length would look at a table that is not there. */
static void halve(table* t) {
  if (t == NULL) return;
  for (int k = 0; k < t->rows; k++) t->at[k] /= 2;
}
static int clear(long* a, int from, int to) {
  int k;
  if (a == NULL) return 0;
  for (k = to - 1; k >= from; k--)
    for (int j = 0; j < width; j++) a[k * width + j] = k;
  return k;
}
/* Nobody knows how long. */
static void follow(long* a, long n) {
  for (long at = n; at > 1; at = at % 2 == 0 ? at / 2 : 3 * at + 1) a[at % n]++;
}

static long sums(long* a, int n) {
  if (n < 4) {
    long all = 0;
    for (int i = 0; i < n; i++) all += a[i] * (i + 1);
    return all;
  }
  const int half = n / 2;
  long* spare = malloc(sizeof *spare * (size_t)n);
  add(a, a + half, spare, half);
  long left = cilk_spawn sums(a, half);
  add(spare, spare, spare + half, half);
  long right = sums(spare, half);
  cilk_sync;
  add(a, spare, a, half);
  follow(a, half);
  free(spare);
  return left * 3 + right + a[half / 2];
}

static double both(table* t, int depth) {
  if (depth == 0) return t->at[0];
  table low = {t->rows / 2, t->columns, t->at};
  table high = {t->rows - low.rows, t->columns, t->at + low.rows * t->columns};
  double x = cilk_spawn both(&low, depth - 1);
  double y = both(&high, depth - 1);
  cilk_sync;
  scale(t, 1.5);
  if (depth > 1) scale(&high, depth);
  halve(depth > 1 ? NULL : t);
  return x - y / 2;
}

static void cleared(long* a, int from, int to) {
  if (to - from > 300) {
    cilk_spawn cleared(a, from, from + (to - from) / 2);
    cleared(a, from + (to - from) / 2, to);
    cilk_sync;
  }
  clear(a, from, to);
  if (from == 0) clear(NULL, 0, 1000000);
}

int main(void) {
  long* a = calloc(3000, sizeof *a);
  for (int i = 0; i < 3000; i++) a[i] = i * 7919 % 1009;
  unsigned long sum = (unsigned long)sums(a, 3000);
  for (int i = 0; i < 3000; i++) sum = sum * 3 + (unsigned long)a[i];
  table t = {64, 50, malloc(sizeof(double) * 64 * 50)};
  for (int i = 0; i < 64 * 50; i++) t.at[i] = i % 7 + 0.25;
  double x = both(&t, 3);
  for (int i = 0; i < 64 * 50; i++) x += t.at[i];
  long* b = malloc(sizeof *b * 1000 * width);
  cleared(b, 0, 1000);
  for (int i = 0; i < 1000 * width; i++) sum = sum * 3 + (unsigned long)b[i];
  printf("%lu %.6f\n", sum, x);
  return 0;
}
