#include "bench/fib/config.hpp"
#include "channels/call.hpp"
#include "channels/cilk_host.hpp"
#include "channels/depth_first.hpp"

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

void channels_depth_first(benchmark::State& state) {
  channels::settings options = channels::settings::from_environment();
  options.compute_units = static_cast<unsigned>(state.range(0));
  channels::cilk::use(options);
  for (auto _ : state) check(state, channels::call_depth_first<tasks::fib>({n}));
  count_calls(state);
}
BENCHMARK(channels_depth_first)->Apply(threads);

}  // namespace
}  // namespace bench_fib
