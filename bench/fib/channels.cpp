#include "bench/fib/config.hpp"
#include "channels/call.hpp"

namespace bench_fib {
namespace {

void channels_tasks(benchmark::State& state) {
  channels::settings options = channels::settings::from_environment();
  options.compute_units = static_cast<unsigned>(state.range(0));
  channels::runtime runtime(options);
  for (auto _ : state) check(state, channels::call<tasks::fib>(runtime, {n}));
  count_calls(state);
}
BENCHMARK(channels_tasks)->Apply(threads);

}  // namespace
}  // namespace bench_fib
