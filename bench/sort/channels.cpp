#include "bench/sort/config.hpp"
#include "channels/call.hpp"
#include "channels/cilk/spawn.hpp"
#include "channels/depth_first.hpp"

namespace bench_sort {
namespace {

void channels_tasks(benchmark::State& state) {
  channels::runtime runtime(bench::settings_of(state));
  const tasks::sort_cutoffs cutoffs{state.range(1), state.range(1)};
  measure(state, [&](int* data, int* scratch) {
    channels::call<tasks::sort>(runtime,
                                {data, scratch, static_cast<std::ptrdiff_t>(size), cutoffs});
  });
}
BENCHMARK(channels_tasks)->Apply(threads_and_cutoffs);

void channels_depth_first(benchmark::State& state) {
  channels::cilk::use(bench::settings_of(state));
  const tasks::sort_cutoffs cutoffs{state.range(1), state.range(1)};
  measure(state, [&](int* data, int* scratch) {
    channels::call_depth_first<tasks::sort>(
        {data, scratch, static_cast<std::ptrdiff_t>(size), cutoffs});
  });
}
BENCHMARK(channels_depth_first)->Apply(threads_and_cutoffs);

}  // namespace
}  // namespace bench_sort
