#include "bench/knapsack/elision.hpp"
//
#include "bench/knapsack/config.hpp"

namespace bench_knapsack {
namespace {

void serial(benchmark::State& state) {
  measure(state, [](item* all, int capacity) { return knapsack(all, capacity, items, 0); });
}
BENCHMARK(serial)->Apply(bench::timed);

}  // namespace
}  // namespace bench_knapsack
