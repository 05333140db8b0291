// Loops that end at the nearest of several limits count as others do, and a short name is no part of
// the labels in the system's headers.
// RUN: %cilk2chan --device=emulated --explain %s -o %t 2>&1 | FileCheck %s
// RUN: %cilk2chan --serial -O1 %s -o %t.serial
// RUN: %t.serial 100 77 > %t.wanted
// RUN: env CHANNELS_DEVICE=emulated %t 100 77 > %t.out
// RUN: diff %t.wanted %t.out
// CHECK-DAG: smooth: lanes of a GPU share its leaves
// CHECK-DAG: mixed: lanes of a GPU share its leaves
// CHECK: smooth: its loops on a GPU
// CHECK: line {{[0-9]+}}: side by side on lanes
// CHECK: squares: its loops on a GPU
// CHECK-NEXT: side by side on lanes
// CHECK: down: its loops on a GPU
// CHECK-NEXT: side by side on lanes
// CHECK: n: variable, copied to devices
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
enum { block = 48 };
static int rows, columns;
static double *from, *to;
static void smooth(int r, int c, int high, int wide) {
  if (high <= block && wide <= block) {
    for (int i = r; i < r + block && i < rows; i++)
      for (int j = 0; j < block && c + j < columns; j++) {
        double sum = 0;
        for (int di = -1; di <= 1; di++)
          for (int dj = -1; dj <= 1; dj++) {
            int y = i + di, x = c + j + dj;
            if (y >= 0 && y < rows && x >= 0 && x < columns) sum += from[(long)y * columns + x];
          }
        to[(long)i * columns + c + j] = sum / 9;
      }
    return;
  }
  if (high > wide) {
    int half = (high / 2 + block - 1) / block * block;
    cilk_spawn smooth(r, c, half, wide);
    smooth(r + half, c, high - half, wide);
  } else {
    int half = (wide / 2 + block - 1) / block * block;
    cilk_spawn smooth(r, c, high, half);
    smooth(r, c + half, high, wide - half);
  }
  cilk_sync;
}
static size_t n;
static unsigned* counts;
static void squares(size_t first) {
  for (size_t k = first; k < first + 1000 && k < n; ++k) counts[k] = (unsigned)(k * k % 1013);
}
/* As an unsigned number -1 is a limit that no other is beyond. */
static void signs(unsigned* a, int none, unsigned end) {
  for (unsigned k = 0; k < (unsigned)12 && k < none && k < end; k++) a[k] += k + 1;
}
static void sizes(unsigned* a, int none, int end) {
  for (size_t k = 0; k < none && k < end; k++) a[k] += 2 * (unsigned)k + 1;
}
static long down(const unsigned* a, long high, long low) {
  long sum = 0;
  for (long k = high; k >= low && k >= 0; k--) sum += a[k];
  return sum;
}
static unsigned long mixed(unsigned long* a, int at, int end, int depth) {
  if (depth == 0) {
    for (int i = at; i < end && i < at + 40; i++) a[i] += (unsigned)i;
    return a[at];
  }
  unsigned long x = 1;
  if (end - at > 10) {
    for (int i = at; i < at + 20 && i < end; i++) a[i] *= 3;
    x = cilk_spawn mixed(a, at, (at + end) / 2, depth - 1);
    unsigned long y = mixed(a, (at + end) / 2, end, depth - 1);
    cilk_sync;
    x += y * 7;
  }
  return x;
}
int main(int argc, char** argv) {
  rows = argc > 1 ? atoi(argv[1]) : 200;
  columns = argc > 2 ? atoi(argv[2]) : 130;
  from = malloc(sizeof(double) * rows * columns);
  to = calloc((size_t)rows * columns, sizeof(double));
  for (int i = 0; i < rows * columns; i++) from[i] = i * 7919 % 1000;
  smooth(0, 0, rows, columns);
  double sum = 0;
  for (int i = 0; i < rows * columns; i++) sum += to[i] * (i % 13);
  n = 12345;
  counts = malloc(n * sizeof *counts);
  cilk_scope {
    for (size_t k = 0; k < n; k += 1000) cilk_spawn squares(k);
  }
  cilk_scope {
    cilk_spawn signs(counts, -1, 10);
    cilk_spawn sizes(counts + 20, -1, 9);
    cilk_spawn signs(counts + 40, 3, 10);
  }
  for (int k = 0; k < 50; k++) sum += counts[k] * (k + 1.0);
  long parts[20];
  cilk_scope {
    for (int p = 0; p < 13; p++) parts[p] = cilk_spawn down(counts, p * 1000 + 300, p * 1000 - 500);
  }
  long all = 0;
  for (int p = 0; p < 13; p++) all = all * 3 + parts[p];
  unsigned long* numbers = calloc(700, sizeof *numbers);
  for (unsigned long i = 0; i < 700; i++) numbers[i] = i * i;
  unsigned long hash = mixed(numbers, 0, 700, 4) + mixed(numbers, 3, 60, 4);
  for (int i = 0; i < 700; i++) hash = hash * 31 + numbers[i];
  printf("%.3f %ld %lu\n", sum, all, hash);
  return 0;
}
