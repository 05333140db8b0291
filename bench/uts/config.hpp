#pragma once

#include "bench/competitors.hpp"

/// Unbalanced trees of their authors (examples/corpus/uts_sha1.c): T1, geometric, four million
/// nodes on ten levels; T3, binomial, as many on 1572 levels; and T1L, like T1, of 102 million
/// nodes on 13. Each node is a task, of one or two SHA-1 blocks. The size of the tree, its leaves
/// and its height are checked against the published ones.
namespace bench_uts {

/// Trees by number, for a benchmark's argument.
inline constexpr const char* tree_names[] = {"T1", "T3", "T1L"};
inline constexpr int deep_tree = 1;
inline constexpr int large_tree = 2;

inline const char* tree_of(const benchmark::State& state, int argument) {
  return tree_names[state.range(argument)];
}

inline void trees(benchmark::internal::Benchmark* b) {
  b->ArgName("tree")->Arg(0)->Arg(deep_tree)->Apply(bench::timed);
}
inline void threads_and_trees(benchmark::internal::Benchmark* b) {
  b->ArgNames({"threads", "tree"})->ArgsProduct({{1, 2}, {0, deep_tree}})->Apply(bench::timed);
}
/// Once: it takes seconds.
inline void large(benchmark::internal::Benchmark* b) {
  b->ArgName("tree")->Arg(large_tree)->Iterations(1)->Repetitions(1)->Apply(bench::timed);
}
inline void threads_and_large(benchmark::internal::Benchmark* b) {
  b->ArgNames({"threads", "tree"})
      ->Args({2, large_tree})
      ->Iterations(1)
      ->Repetitions(1)
      ->Apply(bench::timed);
}

/// `Tree` is the program's `tree`, which has what was published; `Counts` what a walk returns.
template <class Tree, class Counts>
void check(benchmark::State& state, const Tree& tree, const Counts& all) {
  bench::check(state,
               all.nodes == tree.nodes && all.leaves == tree.leaves && all.height == tree.height);
}

/// Nodes in a second.
template <class Tree>
void count_nodes(benchmark::State& state, const Tree& tree) {
  state.counters["nodes"] = benchmark::Counter(static_cast<double>(tree.nodes),
                                               benchmark::Counter::kIsIterationInvariantRate);
}

}  // namespace bench_uts
