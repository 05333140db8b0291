#include <oneapi/tbb/task_arena.h>  // task_arena
#include <oneapi/tbb/task_group.h>  // task_group

#include <vector>  // vector

#include "bench/uts/config.hpp"
#include "bench/uts/elision.hpp"

namespace bench_uts {
namespace {

counts parallel_search(node n, int depth) {
  const int children = children_of(n, depth);
  counts sum = {1, children == 0, depth};
  if (children > 0) {
    std::vector<counts> below(static_cast<std::size_t>(children));
    oneapi::tbb::task_group group;
    for (int i = 1; i < children; ++i) {
      group.run([&result = below[static_cast<std::size_t>(i)], n, i, depth] {
        result = parallel_search(child_of(n, i), depth + 1);
      });
    }
    below[0] = parallel_search(child_of(n, 0), depth + 1);
    group.wait();
    for (const counts& c : below) add_to(&sum, &c);
  }
  return sum;
}

void onetbb(benchmark::State& state) {
  choose_tree(tree_of(state, 1));
  oneapi::tbb::task_arena arena(bench::threads_of(state));
  for (auto _ : state) {
    check(state, tree, arena.execute([] { return parallel_search(root_of(tree.seed), 0); }));
  }
  count_nodes(state, tree);
}
BENCHMARK(onetbb)->Apply(threads_and_trees);
BENCHMARK(onetbb)->Apply(threads_and_large);

}  // namespace
}  // namespace bench_uts
