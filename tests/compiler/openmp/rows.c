// Arrays of variable length as parameters of functions with directives.
// RUN: %cilk2chan -fopenmp-tasks --serial -O1 -w %s -o %t.serial && %t.serial > %t.expected
// RUN: %cilk2chan -fopenmp-tasks -O0 -w --device=emulated %s -o %t 2>&1 | FileCheck --allow-empty %s
// CHECK-NOT: stays on the host
// RUN: %t | diff %t.expected -
// RUN: env CHANNELS_GIVE=always CHANNELS_CUS=3 %t | diff %t.expected -
// RUN: env CHANNELS_ORDER=channels %t | diff %t.expected -
// RUN: env CHANNELS_DEVICE=emulated %t | diff %t.expected -
#include <stdio.h>
#include <stdlib.h>
static void smooth(int h, int w, double a[h][w], double b[h][w]) {
#pragma omp parallel for collapse(2)
  for (int y = 1; y < h - 1; y++)
    for (int x = 1; x < w - 1; x++)
      b[y][x] = (a[y - 1][x] + a[y + 1][x] + a[y][x - 1] + a[y][x + 1]) / 4;
}
static long rec(int h, int w, double g[h][w], int lo, int hi) {
  if (hi - lo == 1) {
    double s = 0;
    for (int x = 0; x < w; x++) s += g[lo][x];
    return (long)s;
  }
  long a, b;
  int m = (lo + hi) / 2;
#pragma omp task shared(a)
  a = rec(h, w, g, lo, m);
#pragma omp task shared(b)
  b = rec(h, w, g, m, hi);
#pragma omp taskwait
  return a + b;
}
static void blocks(int h, int w, double g[h][w], int y) {
  for (int i = 0; i < h; i++) {
#pragma omp task
    {
      double(*me)[w] = g + i;
      for (int x = 0; x < w; x++) (*me)[x] += i * g[i][0];
    }
  }
#pragma omp taskwait
}
static double total(int h, int w, double g[h][w]) {
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) s += (int)g[y][x];
  return s;
}
int main(void) {
  int h = 12, w = 9;
  double(*a)[w] = malloc(sizeof(double[h][w])), (*b)[w] = calloc(h, sizeof *b);
  for (int i = 0; i < h; i++)
    for (int j = 0; j < w; j++) a[i][j] = i * j % 7;
  smooth(h, w, a, b);
  long r = 0;
#pragma omp parallel
#pragma omp single
  {
    r = rec(h, w, b, 0, h);
    blocks(h, w, a, 0);
  }
  printf("%ld %g %g\n", r, total(h, w, a), a[3][3]);
}
