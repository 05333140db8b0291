#include "bench/bfs/config.hpp"

namespace bench_bfs {
namespace {

void serial(benchmark::State& state) {
  (void)edges();
  std::vector<vertex> distance;
  for (auto _ : state) distance = serial_distances();
  check(state, [&](vertex v) { return distance[v]; });
}
BENCHMARK(serial)->Apply(bench::timed);

}  // namespace
}  // namespace bench_bfs
