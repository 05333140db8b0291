// Single-source shortest paths: a vertex that gets a shorter distance offers its neighbours theirs.
// An offer goes to the place that has the vertex. In one run the distances below a limit are found,
// so that few vertices get another one later; the next run has a higher limit (delta-stepping,
// Meyer and Sanders 2003). A run is over when no offer is under way.
//
//   sssp [--places 4] [--graph mesh|banded] [--vertices N] [--delta 64] [--transport threads|mpi]
//
// At the end the distances are compared with those of Dijkstra's algorithm.

#include <algorithm>   // equal, min, sort, unique
#include <cstdint>     // fixed-width integers
#include <functional>  // greater
#include <queue>       // priority_queue
#include <utility>     // pair
#include <vector>      // vector

#include "channels/graph.hpp"
#include "graphs.hpp"
#include "places.hpp"

namespace {

using examples::rule_graph;

constexpr std::uint32_t unreached = ~std::uint32_t{0};

/// A distance for a vertex. Taken once, its neighbours have to be told, from `told` on.
struct offer {
  static constexpr std::uint32_t not_taken = ~std::uint32_t{0};
  std::uint32_t vertex;
  std::uint32_t distance;
  std::uint32_t told;
};

/// What a place knows of its vertices.
struct here {
  std::uint32_t first;                   ///< of its vertices
  std::uint32_t limit;                   ///< of the distances that this run finds
  std::vector<std::uint32_t> distances;  ///< the shortest so far
  std::vector<std::uint32_t> later;      ///< vertices with distances beyond the limit
};

struct relax {
  rule_graph in;
  here* at;

  template <class Lane, class Out>
  channels::outcome operator()(Lane& lane, const offer& o, Out& offers) const {
    std::uint32_t& mine = at->distances[o.vertex - at->first];
    std::uint32_t told = o.told;
    if (told == offer::not_taken) {
      if (o.distance >= mine) return lane.done();
      mine = o.distance;
      if (mine >= at->limit) {
        at->later.push_back(o.vertex);
        return lane.done();
      }
      told = 0;
    } else if (o.distance != mine) {
      return lane.done();  // a shorter one came, and told them
    }
    told = in.neighbours_from(o.vertex, told, [&](std::uint32_t to) {
      const std::uint32_t distance = o.distance + rule_graph::length(o.vertex, to);
      const std::uint32_t local = to - at->first;
      if (local < at->distances.size() && at->distances[local] <= distance) return true;
      return offers.try_push({to, distance, offer::not_taken}) != nullptr;
    });
    if (told != in.slots()) return lane.retry({o.vertex, o.distance, told});
    return lane.done();
  }
};

/// Begins with vertices whose distances are found, but whose neighbours do not know.
struct begin {
  const std::vector<std::uint32_t>* vertices;
  const here* at;
  template <class Lane, class Out>
  channels::outcome operator()(Lane& lane, const examples::range& r, Out& offers) const {
    for (std::uint64_t k = r.next; k < r.end; ++k) {
      const std::uint32_t v = (*vertices)[k];
      if (offers.try_push({v, at->distances[v - at->first], 0}) == nullptr)
        return lane.retry({k, r.end});
    }
    return lane.done();
  }
};

/// Takes those below the limit out of `later`, each once.
std::vector<std::uint32_t> take_below_limit(here& at, std::uint32_t former_limit) {
  std::vector<std::uint32_t> taken;
  std::vector<std::uint32_t> rest;
  std::sort(at.later.begin(), at.later.end());
  at.later.erase(std::unique(at.later.begin(), at.later.end()), at.later.end());
  for (const std::uint32_t v : at.later) {
    const std::uint32_t distance = at.distances[v - at.first];
    if (distance < former_limit) continue;  // a shorter one came, and told them
    (distance < at.limit ? taken : rest).push_back(v);
  }
  at.later = std::move(rest);
  return taken;
}

std::vector<std::uint32_t> dijkstra(const rule_graph& in) {
  std::vector<std::uint32_t> distances(in.vertices(), unreached);
  using entry = std::pair<std::uint32_t, std::uint32_t>;
  std::priority_queue<entry, std::vector<entry>, std::greater<>> next;
  distances[0] = 0;
  next.emplace(0, 0);
  while (!next.empty()) {
    const std::uint32_t distance = next.top().first;
    const std::uint32_t v = next.top().second;
    next.pop();
    if (distance != distances[v]) continue;
    in.each_neighbour(v, [&](std::uint32_t to) {
      const std::uint32_t longer = distance + rule_graph::length(v, to);
      if (longer >= distances[to]) return;
      distances[to] = longer;
      next.emplace(longer, to);
    });
  }
  return distances;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string kind = examples::option(argc, argv, "--graph", "mesh");
  const std::uint64_t vertices = examples::number(argc, argv, "--vertices", 1U << 16U);
  const std::uint64_t capacity = examples::number(argc, argv, "--capacity", 1U << 14U);
  const auto delta = static_cast<std::uint32_t>(examples::number(argc, argv, "--delta", 64));
  return examples::at_places(argc, argv, [&](const channels::world& w) {
    if (delta == 0) throw channels::error("sssp: --delta has to be 1 or more");
    const rule_graph in(kind, vertices);
    const examples::slices mine(in.vertices(), w.places());
    here at{static_cast<std::uint32_t>(mine.first(w.here())), 0, {}, {}};
    at.distances.assign(mine.size(w.here()), unreached);
    std::vector<std::uint32_t> next;

    channels::runtime on(examples::one_unit());
    channels::graph g(on, w, "sssp");
    const auto parts = g.channel<examples::range>("parts", 16);
    const auto offers = g.channel<offer>("offers", capacity);
    const auto far =
        g.far(offers, channels::owner([mine](const offer& o) { return mine.owner(o.vertex); }));
    g.kernel("begin", parts, begin{&next, &at}, channels::up_to(4096, far));
    g.kernel("relax", offers, relax{in, &at}, channels::up_to(in.slots(), far));

    if (w.here() == 0) {
      at.distances[0] = 0;
      at.later.push_back(0);
    }
    const double took = examples::seconds([&] {
      for (;;) {
        // The least distance of those that wait, at any place.
        std::uint32_t least = unreached;
        for (const std::uint32_t v : at.later)
          if (at.distances[v - at.first] >= at.limit)
            least = std::min(least, at.distances[v - at.first]);
        least = examples::of_all(on, w, least, [](auto a, auto b) { return std::min(a, b); });
        if (least == unreached) return;
        const std::uint32_t former = at.limit;
        at.limit = least + delta;
        next = take_below_limit(at, former);
        g.push(parts, {0, next.size()});
        g.execute();
        g.wait();
      }
    });
    std::vector<std::uint32_t> reference;
    const double serially = examples::seconds([&] { reference = dijkstra(in); });
    const bool right = examples::everywhere(
        on, w, std::equal(at.distances.begin(), at.distances.end(), reference.begin() + at.first));
    return examples::report(w, in.vertices(), "vertices", took, serially, right);
  });
}
