#include "bench/sort/config.hpp"
#include "channels/call.hpp"

namespace bench_sort {
namespace {

void channels_tasks(benchmark::State& state) {
  channels::settings options = channels::settings::from_environment();
  options.compute_units = static_cast<unsigned>(state.range(0));
  channels::runtime runtime(options);
  const tasks::sort_cutoffs cutoffs{state.range(1), state.range(1)};
  measure(state, [&](int* data, int* scratch) {
    channels::call<tasks::sort>(runtime,
                                {data, scratch, static_cast<std::ptrdiff_t>(size), cutoffs});
  });
}
BENCHMARK(channels_tasks)->Apply(threads_and_cutoffs);

}  // namespace
}  // namespace bench_sort
