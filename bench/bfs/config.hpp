#pragma once

#include <cstdint>  // fixed-width integers
#include <vector>   // vector

#include "bench/competitors.hpp"

/// Breadth-first search of a random graph with a million vertices of eight edges each: how far each
/// vertex is from the first. All distances are checked against the serial ones.
namespace bench_bfs {

using vertex = std::uint32_t;
inline constexpr vertex vertices = 1'000'000;
inline constexpr std::uint32_t degree = 8;
inline constexpr vertex unreached = ~vertex{0};

/// The neighbours of vertex v are `[v * degree]` and the seven that follow. The generator is that
/// of Numerical Recipes, so that the graph is the same everywhere.
inline const std::vector<vertex>& edges() {
  static const std::vector<vertex> all = [] {
    std::vector<vertex> to(std::size_t{vertices} * degree);
    std::uint64_t state = 1;
    for (vertex& neighbour : to) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      neighbour = static_cast<vertex>((state >> 33U) % vertices);
    }
    return to;
  }();
  return all;
}

inline const vertex* neighbours_of(vertex v) { return edges().data() + std::size_t{v} * degree; }

/// By one thread, level after level.
inline std::vector<vertex> serial_distances() {
  std::vector<vertex> distance(vertices, unreached);
  distance[0] = 0;
  std::vector<vertex> level{0};
  std::vector<vertex> next;
  for (vertex d = 1; !level.empty(); ++d) {
    next.clear();
    for (const vertex v : level) {
      const vertex* const to = neighbours_of(v);
      for (std::uint32_t i = 0; i < degree; ++i) {
        if (distance[to[i]] != unreached) continue;
        distance[to[i]] = d;
        next.push_back(to[i]);
      }
    }
    level.swap(next);
  }
  return distance;
}

inline const std::vector<vertex>& right_distances() {
  static const std::vector<vertex> all = serial_distances();
  return all;
}

/// `distance(v)` is what the competitor found.
template <class Found>
void check(benchmark::State& state, Found distance) {
  const std::vector<vertex>& right = right_distances();
  bool same = true;
  for (vertex v = 0; v < vertices; ++v) same &= distance(v) == right[v];
  bench::check(state, same);
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * vertices);
}

}  // namespace bench_bfs
