// Graph colouring: each vertex takes the least colour that none of its neighbours has, after those
// of higher priority have taken theirs (Jones and Plassmann). A vertex that has its colour tells
// the neighbours of lower priority, at the places that have them.
//
//   color [--places 4] [--graph mesh|banded] [--vertices N] [--transport threads|mpi]
//
// The colours are those of a serial program that goes through the vertices by priority. At the end
// they are compared, and no edge may have one colour.

#include <algorithm>  // equal, sort
#include <bit>        // countr_one
#include <cstdint>    // fixed-width integers
#include <numeric>    // iota
#include <vector>     // vector

#include "channels/graph.hpp"
#include "graphs.hpp"
#include "places.hpp"

namespace {

using examples::rule_graph;

/// Whether `a` takes its colour before `b`: a random order, the same at all places.
bool is_before(std::uint32_t a, std::uint32_t b) {
  const std::uint64_t of_a = examples::scramble(a);
  const std::uint64_t of_b = examples::scramble(b);
  return of_a != of_b ? of_a < of_b : a < b;
}

/// What a vertex knows.
struct vertex_state {
  std::uint32_t used = 0;     ///< the neighbours' colours, a bit for each
  std::uint32_t waiting = 0;  ///< neighbours of higher priority that have none yet
  std::uint32_t color = 0;
  bool begins = false;  ///< it waits for none, from the start
};

/// For `vertex`: a neighbour has `color`. Once it has heard of all, it has its own colour, and
/// tells its neighbours, from `told` on.
struct news {
  static constexpr std::uint32_t heard = ~std::uint32_t{0};
  std::uint32_t vertex;
  std::uint32_t color;
  std::uint32_t told;
};

struct hear {
  rule_graph in;
  std::uint32_t first;  ///< of this place's vertices
  std::vector<vertex_state>* states;

  template <class Lane, class Out>
  channels::outcome operator()(Lane& lane, const news& n, Out& out) const {
    vertex_state& mine = (*states)[n.vertex - first];
    std::uint32_t told = n.told;
    if (told == news::heard) {
      mine.used |= 1U << n.color;
      if (--mine.waiting != 0) return lane.done();
      mine.color = static_cast<std::uint32_t>(std::countr_one(mine.used));
      told = 0;
    }
    told = in.neighbours_from(n.vertex, told, [&](std::uint32_t to) {
      return is_before(to, n.vertex) || out.try_push({to, mine.color, news::heard}) != nullptr;
    });
    if (told != in.slots()) return lane.retry({n.vertex, mine.color, told});
    return lane.done();
  }
};

/// Begins with the vertices that wait for none.
struct begin {
  std::uint32_t first;
  const std::vector<vertex_state>* states;
  template <class Lane, class Out>
  channels::outcome operator()(Lane& lane, const examples::range& r, Out& out) const {
    for (std::uint64_t v = r.next; v < r.end; ++v) {
      if (!(*states)[v - first].begins) continue;
      if (out.try_push({static_cast<std::uint32_t>(v), 0, 0}) == nullptr)
        return lane.retry({v, r.end});
    }
    return lane.done();
  }
};

std::vector<std::uint32_t> serial_colors(const rule_graph& in) {
  std::vector<std::uint32_t> order(in.vertices());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), is_before);
  std::vector<std::uint32_t> used(in.vertices(), 0);
  std::vector<std::uint32_t> colors(in.vertices(), 0);
  for (const std::uint32_t v : order) {
    colors[v] = static_cast<std::uint32_t>(std::countr_one(used[v]));
    in.each_neighbour(v, [&](std::uint32_t to) { used[to] |= 1U << colors[v]; });
  }
  return colors;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string kind = examples::option(argc, argv, "--graph", "mesh");
  const std::uint64_t vertices = examples::number(argc, argv, "--vertices", 1U << 16U);
  const std::uint64_t capacity = examples::number(argc, argv, "--capacity", 1U << 14U);
  return examples::at_places(argc, argv, [&](const channels::world& w) {
    const rule_graph in(kind, vertices);
    const examples::slices mine(in.vertices(), w.places());
    const auto first = static_cast<std::uint32_t>(mine.first(w.here()));
    std::vector<vertex_state> states(mine.size(w.here()));
    for (std::uint32_t k = 0; k < states.size(); ++k) {
      in.each_neighbour(first + k, [&](std::uint32_t to) {
        if (is_before(to, first + k)) ++states[k].waiting;
      });
      states[k].begins = states[k].waiting == 0;
    }

    channels::runtime on(examples::one_unit());
    channels::graph g(on, w, "color");
    const auto parts = g.channel<examples::range>("parts", 16);
    const auto told = g.channel<news>("news", capacity);
    const auto far =
        g.far(told, channels::owner([mine](const news& n) { return mine.owner(n.vertex); }));
    g.kernel("begin", parts, begin{first, &states}, channels::up_to(4096, far));
    g.kernel("hear", told, hear{in, first, &states}, channels::up_to(in.slots(), far));

    g.push(parts, {mine.first(w.here()), mine.end(w.here())});
    const double took = examples::seconds([&] {
      g.execute();
      g.wait();
    });
    std::vector<std::uint32_t> reference;
    const double serially = examples::seconds([&] { reference = serial_colors(in); });
    bool right = true;
    for (std::uint32_t k = 0; k < states.size(); ++k) {
      const std::uint32_t v = first + k;
      if (states[k].waiting != 0 || states[k].color != reference[v]) right = false;
      in.each_neighbour(v, [&](std::uint32_t to) {
        if (reference[to] == states[k].color) right = false;
      });
    }
    right = examples::everywhere(on, w, right);
    return examples::report(w, in.vertices(), "vertices", took, serially, right);
  });
}
