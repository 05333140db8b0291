// Breadth-first search on channels: how far each vertex of a random graph is from the first.
//
//   bfs_graph [vertices] [edges of a vertex]
//
// The stack has one channel for each distance. A vertex pushes the neighbours to which it has found
// a shorter way, at most all of them; at one distance a vertex is pushed once, so a level needs
// room for all vertices at most. Levels may overlap, so a vertex can be reached by a longer way
// first: it is then pushed again, and the element of the longer way does nothing. To finish a level
// first makes that rare.

#include <atomic>   // atomic
#include <cstdint>  // fixed-width integers
#include <cstdio>   // printf, fprintf
#include <cstdlib>  // atoi
#include <random>   // mt19937
#include <vector>   // vector

#include "channels/error.hpp"
#include "channels/graph.hpp"

namespace {

using vertex = std::uint32_t;
constexpr vertex unreached = ~vertex{0};

/// The neighbours of vertex v are `to[v * degree]` and those that follow.
struct random_graph {
  random_graph(vertex vertices, std::uint32_t edges_of_a_vertex)
      : degree(edges_of_a_vertex), to(std::size_t{vertices} * edges_of_a_vertex) {
    std::mt19937 random(1);
    for (vertex& neighbour : to) neighbour = static_cast<vertex>(random() % vertices);
  }
  std::uint32_t degree;
  std::vector<vertex> to;
};

struct visit {
  template <class Lane, class Port>
  channels::outcome operator()(Lane& lane, vertex v, Port& next, const random_graph* g,
                               std::atomic<vertex>* distance, std::uint64_t& visits) const {
    // Relaxed, as below: a distance is a number that only falls, and nothing else is read by it.
    if (distance[v].load(std::memory_order_relaxed) < lane.level()) return lane.done();
    if (!next.reserve(g->degree)) return lane.retry();
    ++visits;
    const vertex* const neighbours = g->to.data() + std::size_t{v} * g->degree;
    for (std::uint32_t i = 0; i < g->degree; ++i) {
      if (lower(distance[neighbours[i]], lane.level() + 1)) next.push(neighbours[i]);
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

}  // namespace

int main(int argc, char** argv) try {
  const auto vertices = static_cast<vertex>(argc > 1 ? std::atoi(argv[1]) : 1000000);
  const auto degree = static_cast<std::uint32_t>(argc > 2 ? std::atoi(argv[2]) : 8);
  const random_graph edges(vertices, degree);
  std::vector<std::atomic<vertex>> distance(vertices);
  for (auto& d : distance) d.store(unreached, std::memory_order_relaxed);
  distance[0].store(0, std::memory_order_relaxed);

  channels::runtime on;
  channels::graph g(on, "bfs");
  const auto frontier = g.stack<vertex>("frontier", vertices);
  const auto visits = g.accumulator<std::uint64_t>();
  g.kernel("visit", frontier, visit{}, channels::up_to(degree, frontier), &edges, distance.data(),
           visits);
  g.schedule(channels::level_first());
  g.push(frontier, 0);
  g.execute();
  g.wait();

  std::vector<std::uint64_t> at(1);
  std::uint64_t reached = 0;
  for (const auto& d : distance) {
    const vertex far = d.load(std::memory_order_relaxed);
    if (far == unreached) continue;
    if (far >= at.size()) at.resize(far + 1);
    ++at[far];
    ++reached;
  }
  std::printf("%llu of %u vertices reached, with %llu visits\n",
              static_cast<unsigned long long>(reached), vertices,
              static_cast<unsigned long long>(visits.value()));
  for (std::size_t d = 0; d < at.size(); ++d)
    std::printf("%zu: %llu\n", d, static_cast<unsigned long long>(at[d]));
} catch (const channels::error& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
