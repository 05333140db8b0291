/* The Cilk program as cilk2chan compiles it for the host. */
#include "bench/knapsack/cilk.h"

#define main cilk_main
#include "examples/corpus/knapsack.c"
#undef main

int bench_cilk_knapsack(const void* items, int capacity, int n) {
  best_so_far = -1;
  const int found = knapsack((struct item*)items, capacity, n, 0);
  return found > best_so_far ? found : best_so_far; /* that of this file */
}
