#include "bench/uts/config.hpp"
#include "bench/uts/elision.hpp"

namespace bench_uts {
namespace {

void serial(benchmark::State& state) {
  choose_tree(tree_of(state, 0));
  for (auto _ : state) check(state, tree, search(root_of(tree.seed), 0));
  count_nodes(state, tree);
}
BENCHMARK(serial)->Apply(trees);
BENCHMARK(serial)->Apply(large);

}  // namespace
}  // namespace bench_uts
