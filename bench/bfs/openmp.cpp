#include "bench/openmp.hpp"

#include <atomic>  // atomic

#include "bench/bfs/config.hpp"

namespace bench_bfs {
namespace {

/// Level after level, as loops: each thread collects the vertices that it reached first.
void openmp_levels(benchmark::State& state) {
  (void)edges();
  std::vector<std::atomic<vertex>> distance(vertices);
  const int threads = bench::threads_of(state);
  for (auto _ : state) {
    // Relaxed, all of them: the end of a parallel region orders its levels.
    for (auto& d : distance) d.store(unreached, std::memory_order_relaxed);
    distance[0].store(0, std::memory_order_relaxed);
    std::vector<vertex> level{0};
    std::vector<vertex> next;
    for (vertex d = 1; !level.empty(); ++d) {
      next.clear();
#pragma omp parallel num_threads(threads)
      {
        std::vector<vertex> found;
#pragma omp for schedule(dynamic, 1024) nowait
        for (std::size_t i = 0; i < level.size(); ++i) {
          const vertex* const to = neighbours_of(level[i]);
          for (std::uint32_t k = 0; k < degree; ++k) {
            vertex none = unreached;
            if (distance[to[k]].load(std::memory_order_relaxed) != unreached) continue;
            if (distance[to[k]].compare_exchange_strong(none, d, std::memory_order_relaxed)) {
              found.push_back(to[k]);
            }
          }
        }
#pragma omp critical
        next.insert(next.end(), found.begin(), found.end());
      }
      level.swap(next);
    }
  }
  check(state, [&](vertex v) { return distance[v].load(std::memory_order_relaxed); });
}
BENCHMARK(openmp_levels)->Apply(bench::threads);

}  // namespace
}  // namespace bench_bfs
