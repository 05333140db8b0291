// PageRank: in each iteration a vertex shares 0.85 of its rank among its neighbours. A share goes
// to the place that has the neighbour, and is added there.
//
//   pagerank [--places 4] [--graph mesh|banded] [--vertices N] [--iterations 10]
//            [--transport threads|mpi]
//
// Ranks are whole numbers, 2^32 for a vertex' share of 1. So sums are the same in any order, and
// the ranks are compared with those of a serial program, to the last digit.

#include <algorithm>  // equal
#include <cstdint>    // fixed-width integers
#include <vector>     // vector

#include "channels/graph.hpp"
#include "graphs.hpp"
#include "places.hpp"

namespace {

using examples::rule_graph;

constexpr std::uint64_t one = std::uint64_t{1} << 32U;

/// What each neighbour of a vertex with this rank gets.
constexpr std::uint64_t share_of(std::uint64_t rank, std::uint32_t degree) {
  return degree == 0 ? 0 : rank * 85 / 100 / degree;
}

/// A part of a rank, for `vertex`.
struct share {
  std::uint64_t part;
  std::uint32_t vertex;
};

/// Vertices that share their ranks: from `next` on, whose neighbours before `told` have theirs.
struct sharing {
  std::uint32_t next;
  std::uint32_t end;
  std::uint32_t told;
};

struct scatter {
  rule_graph in;
  std::uint32_t first;  ///< of this place's vertices
  const std::vector<std::uint64_t>* ranks;

  template <class Lane, class Out>
  channels::outcome operator()(Lane& lane, const sharing& s, Out& shares) const {
    std::uint32_t from = s.told;
    for (std::uint32_t v = s.next; v < s.end; ++v, from = 0) {
      const std::uint64_t part = share_of((*ranks)[v - first], in.degree(v));
      const std::uint32_t told = in.neighbours_from(
          v, from, [&](std::uint32_t to) { return shares.try_push({part, to}) != nullptr; });
      if (told != in.slots()) return lane.retry({v, s.end, told});
    }
    return lane.done();
  }
};

struct gather {
  std::uint32_t first;
  std::vector<std::uint64_t>* sums;
  template <class Lane>
  void operator()(Lane& /*lane*/, const share& s) const {
    (*sums)[s.vertex - first] += s.part;
  }
};

std::vector<std::uint64_t> serial_ranks(const rule_graph& in, std::uint64_t iterations) {
  std::vector<std::uint64_t> ranks(in.vertices(), one);
  for (std::uint64_t k = 0; k < iterations; ++k) {
    std::vector<std::uint64_t> sums(in.vertices(), one * 15 / 100);
    for (std::uint32_t v = 0; v < in.vertices(); ++v) {
      const std::uint64_t part = share_of(ranks[v], in.degree(v));
      in.each_neighbour(v, [&](std::uint32_t to) { sums[to] += part; });
    }
    ranks.swap(sums);
  }
  return ranks;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string kind = examples::option(argc, argv, "--graph", "mesh");
  const std::uint64_t vertices = examples::number(argc, argv, "--vertices", 1U << 16U);
  const std::uint64_t iterations = examples::number(argc, argv, "--iterations", 10);
  const std::uint64_t capacity = examples::number(argc, argv, "--capacity", 1U << 14U);
  return examples::at_places(argc, argv, [&](const channels::world& w) {
    const rule_graph in(kind, vertices);
    const examples::slices mine(in.vertices(), w.places());
    const auto first = static_cast<std::uint32_t>(mine.first(w.here()));
    const auto end = static_cast<std::uint32_t>(mine.end(w.here()));
    std::vector<std::uint64_t> ranks(end - first, one);
    std::vector<std::uint64_t> sums(end - first);

    channels::runtime on(examples::one_unit());
    channels::graph g(on, w, "pagerank");
    const auto parts = g.channel<sharing>("parts", 16);
    const auto shares = g.channel<share>("shares", capacity);
    const auto far =
        g.far(shares, channels::owner([mine](const share& s) { return mine.owner(s.vertex); }));
    g.kernel("scatter", parts, scatter{in, first, &ranks}, channels::up_to(4096, far));
    g.kernel("gather", shares, gather{first, &sums});

    const double took = examples::seconds([&] {
      for (std::uint64_t k = 0; k < iterations; ++k) {
        sums.assign(sums.size(), one * 15 / 100);
        g.push(parts, {first, end, 0});
        g.execute();
        g.wait();
        ranks.swap(sums);
      }
    });
    std::vector<std::uint64_t> reference;
    const double serially = examples::seconds([&] { reference = serial_ranks(in, iterations); });
    const bool right = examples::everywhere(
        on, w, std::equal(ranks.begin(), ranks.end(), reference.begin() + first));
    return examples::report(w, static_cast<double>(in.vertices() * iterations), "vertices", took,
                            serially, right);
  });
}
