#include "bench/uts/cilk.h"
#include "bench/uts/config.hpp"
#include "channels/call.hpp"
#include "channels/cilk/spawn.hpp"
#include "channels/depth_first.hpp"

// What cilk2chan makes of the program.
#define main tasks_main
#include <tasks.hpp>
#undef main

namespace bench_uts {
namespace {

void channels_tasks(benchmark::State& state) {
  choose_tree(tree_of(state, 1));
  channels::settings options = bench::settings_of(state);
  // A channel of its own for each of 1572 levels, wide enough for what is on it.
  if (state.range(1) == deep_tree) options.memory = std::uint64_t{4} << 30U;
  channels::runtime runtime(options);
  for (auto _ : state) {
    check(state, tree, channels::call<search_task>(runtime, {root_of(tree.seed), 0}));
  }
  count_nodes(state, tree);
}
BENCHMARK(channels_tasks)->Apply(threads_and_trees);
BENCHMARK(channels_tasks)->Apply(threads_and_large);

void channels_depth_first(benchmark::State& state) {
  choose_tree(tree_of(state, 1));
  channels::cilk::use(bench::settings_of(state));
  for (auto _ : state) {
    check(state, tree, channels::call_depth_first<search_task>({root_of(tree.seed), 0}));
  }
  count_nodes(state, tree);
}
BENCHMARK(channels_depth_first)->Apply(threads_and_trees);
BENCHMARK(channels_depth_first)->Apply(threads_and_large);

void channels_cilk(benchmark::State& state) {
  choose_tree(tree_of(state, 1));
  bench_cilk_choose(tree_of(state, 1));
  channels::cilk::use(bench::settings_of(state));
  for (auto _ : state) check(state, tree, bench_cilk_uts());
  count_nodes(state, tree);
}
BENCHMARK(channels_cilk)->Apply(threads_and_trees);
BENCHMARK(channels_cilk)->Apply(threads_and_large);

}  // namespace
}  // namespace bench_uts
