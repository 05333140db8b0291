// Giga-updates per second: adds 1 to words of a table at random. Each place has a slice of the
// table and makes a part of the updates. An update goes to the place that has the word, and the
// kernel node there adds: no two add to a word at the same time, so nothing is atomic.
//
//   gups [--places 4] [--words WORDS] [--updates UPDATES] [--transport threads|mpi]
//   mpirun -n 2 gups
//
// WORDS and UPDATES are of all places together. At the end the table is compared with its serial
// reference.

#include <bit>      // countr_zero
#include <cstdint>  // fixed-width integers
#include <vector>   // vector

#include "channels/graph.hpp"
#include "places.hpp"

namespace {

/// The number of the word of update `i`, so that each place makes its part by itself.
std::uint64_t word_of(std::uint64_t i, std::uint64_t words) {
  return examples::scramble(i) & (words - 1);
}

/// Makes updates, as many as there is room for.
struct make_updates {
  std::uint64_t words;
  template <class Lane, class Out>
  channels::outcome operator()(Lane& lane, const examples::range& w, Out& updates) const {
    for (std::uint64_t i = w.next; i < w.end; ++i) {
      if (updates.try_push(word_of(i, words)) == nullptr) return lane.retry({i, w.end});
    }
    return lane.done();
  }
};

/// Makes one update.
struct add_one {
  std::uint64_t* slice;
  std::uint64_t mask;
  template <class Lane>
  void operator()(Lane& /*lane*/, const std::uint64_t& word) const {
    ++slice[word & mask];
  }
};

/// Whether the slice is what a serial program makes of it.
bool is_right(const std::vector<std::uint64_t>& slice, std::uint64_t first, std::uint64_t words,
              std::uint64_t updates) {
  std::vector<std::uint64_t> reference(slice.size(), 0);
  for (std::uint64_t i = 0; i < updates; ++i) {
    const std::uint64_t word = word_of(i, words) - first;
    if (word < reference.size()) ++reference[word];
  }
  return slice == reference;
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t words = examples::number(argc, argv, "--words", 1U << 20U);
  const std::uint64_t updates = examples::number(argc, argv, "--updates", 4'000'000);
  const std::uint64_t capacity = examples::number(argc, argv, "--capacity", 1U << 14U);
  return examples::at_places(argc, argv, [&](const channels::world& w) {
    const std::uint64_t per_place = words / w.places();
    if ((per_place & (per_place - 1)) != 0 || per_place * w.places() != words)
      throw channels::error("gups: the words of one place have to be a power of two");
    std::vector<std::uint64_t> slice(per_place, 0);

    channels::runtime on(examples::one_unit());
    channels::graph g(on, w, "gups");
    const auto parts = g.channel<examples::range>("parts", 16);
    const auto update = g.channel<std::uint64_t>("update", capacity);
    const int shift = std::countr_zero(per_place);
    const auto far =
        g.far(update, channels::owner([shift](std::uint64_t word) { return word >> shift; }));
    g.kernel("make", parts, make_updates{words}, channels::up_to(4096, far));
    g.kernel("add", update, add_one{slice.data(), per_place - 1});

    const examples::slices shares(updates, w.places());
    g.push(parts, {shares.first(w.here()), shares.end(w.here())});
    const double took = examples::seconds([&] {
      g.execute();
      g.wait();
    });
    bool right = false;
    const double serially =
        examples::seconds([&] { right = is_right(slice, per_place * w.here(), words, updates); });
    return examples::report(w, static_cast<double>(updates), "updates", took, serially,
                            examples::everywhere(on, w, right));
  });
}
