#pragma once

#include "bench/corpus/tbb/corpus_tbb.hpp"

// After examples/corpus/knapsack.c, whose kernels this uses.
namespace with_tbb {
namespace {

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

}  // namespace
}  // namespace with_tbb
