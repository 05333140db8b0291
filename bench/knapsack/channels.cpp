#include "bench/elision.hpp"
// What cilk2chan makes of the program.
#define main tasks_main
#include <tasks.hpp>
#undef main

#include "bench/knapsack/cilk.h"
#include "bench/knapsack/config.hpp"
#include "channels/call.hpp"
#include "channels/cilk/spawn.hpp"
#include "channels/depth_first.hpp"

namespace bench_knapsack {
namespace {

void channels_tasks(benchmark::State& state) {
  channels::runtime runtime(bench::settings_of(state));
  measure(state, [&](item* all, int capacity) {
    return channels::call<knapsack_task>(runtime, {all, capacity, items, 0});
  });
}
BENCHMARK(channels_tasks)->Apply(bench::threads);

void channels_depth_first(benchmark::State& state) {
  channels::cilk::use(bench::settings_of(state));
  measure(state, [](item* all, int capacity) {
    return channels::call_depth_first<knapsack_task>({all, capacity, items, 0});
  });
}
BENCHMARK(channels_depth_first)->Apply(bench::threads);

void channels_cilk(benchmark::State& state) {
  channels::cilk::use(bench::settings_of(state));
  measure(state, [](item* all, int capacity) { return bench_cilk_knapsack(all, capacity, items); });
}
BENCHMARK(channels_cilk)->Apply(bench::threads);

}  // namespace
}  // namespace bench_knapsack
