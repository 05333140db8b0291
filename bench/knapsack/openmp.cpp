#include "bench/openmp.hpp"

#include "bench/knapsack/elision.hpp"
//
#include "bench/knapsack/config.hpp"

namespace bench_knapsack {
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
#pragma omp task shared(with)
  with = parallel_knapsack(e + 1, c - e->weight, n - 1, v + e->value);
  const int without = parallel_knapsack(e + 1, c, n - 1, v);
#pragma omp taskwait
  return with > without ? with : without;
}

void openmp(benchmark::State& state) {
  measure(state, [&](item* all, int capacity) {
    int found = 0;
    bench::with_team(bench::threads_of(state),
                     [&] { found = parallel_knapsack(all, capacity, items, 0); });
    return found;
  });
}
BENCHMARK(openmp)->Apply(bench::threads);

}  // namespace
}  // namespace bench_knapsack
