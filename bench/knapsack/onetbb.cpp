#include "bench/knapsack/elision.hpp"
//
#include "bench/corpus/tbb/knapsack.hpp"
#include "bench/knapsack/config.hpp"

namespace bench_knapsack {
namespace {

void onetbb(benchmark::State& state) {
  oneapi::tbb::task_arena arena(bench::threads_of(state));
  measure(state, [&](item* all, int capacity) {
    return arena.execute([&] { return with_tbb::parallel_knapsack(all, capacity, items, 0); });
  });
}
BENCHMARK(onetbb)->Apply(bench::threads);

}  // namespace
}  // namespace bench_knapsack
