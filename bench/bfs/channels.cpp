#include <atomic>   // atomic
#include <utility>  // move

#include "bench/bfs/config.hpp"
#include "channels/graph.hpp"

namespace bench_bfs {
namespace {

/// A stack with a channel for each distance. Levels may overlap, so a vertex is pushed again when a
/// shorter way to it is found.
struct visit {
  template <class Lane, class Port>
  channels::outcome operator()(Lane& lane, vertex v, Port& next, std::atomic<vertex>* distance,
                               std::uint64_t& visits) const {
    // Relaxed, as below: a distance only falls, and nothing else is read by it.
    if (distance[v].load(std::memory_order_relaxed) < lane.level()) return lane.done();
    if (!next.reserve(degree)) return lane.retry();
    ++visits;
    const vertex* const to = neighbours_of(v);
    for (std::uint32_t i = 0; i < degree; ++i) {
      if (lower(distance[to[i]], lane.level() + 1)) next.push(to[i]);
    }
    return lane.done();
  }
  static bool lower(std::atomic<vertex>& distance, vertex to) {
    vertex now = distance.load(std::memory_order_relaxed);
    while (to < now) {
      if (distance.compare_exchange_weak(now, to, std::memory_order_relaxed)) return true;
    }
    return false;
  }
};

/// `policy` is null for the default.
void search(benchmark::State& state, std::unique_ptr<channels::scheduling_policy> policy) {
  (void)edges();
  channels::runtime on(bench::settings_of(state));
  std::vector<std::atomic<vertex>> distance(vertices);
  channels::graph g(on, "bfs");
  const auto frontier = g.stack<vertex>("frontier", vertices);
  const auto visits = g.accumulator<std::uint64_t>();
  g.kernel("visit", frontier, visit{}, channels::up_to(degree, frontier), distance.data(), visits);
  if (policy) g.schedule(std::move(policy));
  for (auto _ : state) {
    for (auto& d : distance) d.store(unreached, std::memory_order_relaxed);
    distance[0].store(0, std::memory_order_relaxed);
    g.push(frontier, 0);
    g.execute();
    g.wait();
  }
  check(state, [&](vertex v) { return distance[v].load(std::memory_order_relaxed); });
  state.counters["visits"] = static_cast<double>(visits.value());
}

void channels_default(benchmark::State& state) { search(state, nullptr); }
BENCHMARK(channels_default)->Apply(bench::threads);
void channels_level_first(benchmark::State& state) { search(state, channels::level_first()); }
BENCHMARK(channels_level_first)->Apply(bench::threads);
void channels_breadth_first(benchmark::State& state) {
  search(state, channels::bounded_breadth_first());
}
BENCHMARK(channels_breadth_first)->Apply(bench::threads);

}  // namespace
}  // namespace bench_bfs
