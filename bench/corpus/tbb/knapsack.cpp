#define main elision_main
#include "examples/corpus/knapsack.c"
#undef main

#include "bench/corpus/tbb/knapsack.hpp"

int main(int argc, char** argv) {
  argc = timing_option(argc, argv);
  const int n = argc > 1 ? atoi(argv[1]) : 20;
  item items[MAX_ITEMS];
  const int capacity = make_items(items, n);
  int sol = 0;
  with_tbb::timed([&] { sol = with_tbb::parallel_knapsack(items, capacity, n, 0); });
  if (best_so_far > sol) sol = best_so_far;
  return report(items, n, capacity, sol) ? 0 : 1;
}
