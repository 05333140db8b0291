/* The Cilk program as cilk2chan compiles it for the host. */
#include "bench/heat/cilk.h"

#define main cilk_main
#include "examples/corpus/heat.c"
#undef main

void bench_cilk_set_up(int columns, int rows, int steps) {
  nx = columns;
  ny = rows;
  nt = steps;
  set_up();
}

int bench_cilk_step(double** into, double** from, double t) {
  return compstripe(into, from, 0, nx, t);
}
