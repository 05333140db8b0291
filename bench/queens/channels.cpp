#include "bench/queens/config.hpp"
#include "channels/call.hpp"
#include "channels/cilk/spawn.hpp"
#include "channels/depth_first.hpp"

namespace bench_queens {
namespace {

void channels_tasks(benchmark::State& state) {
  channels::runtime runtime(bench::settings_of(state));
  const auto cutoff = static_cast<int>(state.range(1));
  for (auto _ : state) {
    check(state, channels::call<tasks::queens>(runtime, {tasks::empty_board(rows), cutoff}));
  }
  state.counters["tasks"] = benchmark::Counter(static_cast<double>(runtime.last_run().work.tasks),
                                               benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(channels_tasks)->Apply(threads_and_cutoffs);

void channels_depth_first(benchmark::State& state) {
  channels::cilk::use(bench::settings_of(state));
  const auto cutoff = static_cast<int>(state.range(1));
  for (auto _ : state) {
    check(state, channels::call_depth_first<tasks::queens>({tasks::empty_board(rows), cutoff}));
  }
}
BENCHMARK(channels_depth_first)->Apply(threads_and_cutoffs);

}  // namespace
}  // namespace bench_queens
