#include "bench/openmp.hpp"

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
    for (int i = 1; i < children; ++i) {
#pragma omp task shared(below)
      below[static_cast<std::size_t>(i)] = parallel_search(child_of(n, i), depth + 1);
    }
    below[0] = parallel_search(child_of(n, 0), depth + 1);
#pragma omp taskwait
    for (const counts& c : below) add_to(&sum, &c);
  }
  return sum;
}

void openmp(benchmark::State& state) {
  choose_tree(tree_of(state, 1));
  for (auto _ : state) {
    counts all{};
    bench::with_team(bench::threads_of(state),
                     [&] { all = parallel_search(root_of(tree.seed), 0); });
    check(state, tree, all);
  }
  count_nodes(state, tree);
}
BENCHMARK(openmp)->Apply(threads_and_trees);

}  // namespace
}  // namespace bench_uts
