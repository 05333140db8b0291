#include "bench/corpus/tbb/corpus_tbb.hpp"

#define main elision_main
#include "examples/corpus/knapsack.c"
#undef main

namespace with_tbb {

int parallel_knapsack(item* e, int c, int n, int v) {
  if (c < 0) return -1;
  if (n == 0 || c == 0) {
    raise_best(v);
    return v;
  }
  const double ub = static_cast<double>(v) + static_cast<double>(c) * e->value / e->weight;
  if (ub <= best_now()) return -1;

  // What the elision does first is what this thread does first: how much is cut depends on it.
  int with = 0;
  task_group children;
  children.run([=, &with] { with = parallel_knapsack(e + 1, c - e->weight, n - 1, v + e->value); });
  const int without = parallel_knapsack(e + 1, c, n - 1, v);
  children.wait();
  return with > without ? with : without;
}

}  // namespace with_tbb

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
