#include "bench/fib/config.hpp"
#include "channels/call.hpp"
#include "channels/cilk/spawn.hpp"
#include "channels/depth_first.hpp"

namespace bench_fib {
namespace {

void channels_tasks(benchmark::State& state) {
  channels::runtime runtime(bench::settings_of(state));
  for (auto _ : state) check(state, channels::call<tasks::fib>(runtime, {n}));
  count_calls(state);
}
BENCHMARK(channels_tasks)->Apply(bench::threads);

void channels_depth_first(benchmark::State& state) {
  channels::cilk::use(bench::settings_of(state));
  for (auto _ : state) check(state, channels::call_depth_first<tasks::fib>({n}));
  count_calls(state);
}
BENCHMARK(channels_depth_first)->Apply(bench::threads);

}  // namespace
}  // namespace bench_fib
