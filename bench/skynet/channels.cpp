#include "bench/skynet/cilk.h"
#include "bench/skynet/config.hpp"
#include "channels/call.hpp"
#include "channels/cilk/spawn.hpp"
#include "channels/depth_first.hpp"

// What cilk2chan makes of the program.
#define main tasks_main
#include <tasks.hpp>
#undef main

namespace bench_skynet {
namespace {

void channels_tasks(benchmark::State& state) {
  channels::runtime runtime(bench::settings_of(state));
  for (auto _ : state) check(state, channels::call<skynet_task>(runtime, {0, leaves}));
}
BENCHMARK(channels_tasks)->Apply(bench::threads);

void channels_depth_first(benchmark::State& state) {
  channels::cilk::use(bench::settings_of(state));
  for (auto _ : state) check(state, channels::call_depth_first<skynet_task>({0, leaves}));
}
BENCHMARK(channels_depth_first)->Apply(bench::threads);

void channels_cilk(benchmark::State& state) {
  channels::cilk::use(bench::settings_of(state));
  for (auto _ : state) check(state, bench_cilk_skynet(leaves));
}
BENCHMARK(channels_cilk)->Apply(bench::threads);

}  // namespace
}  // namespace bench_skynet
