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
#include <chrono>   // steady_clock
#include <cstdint>  // fixed-width integers
#include <cstdio>   // printf
#include <vector>   // vector

#include "channels/graph.hpp"
#include "places.hpp"

namespace {

/// Some updates that a place has still to make.
struct work {
  std::uint64_t next;
  std::uint64_t end;
};

/// The number of the word of update `i`: splitmix64, so each place makes its part by itself.
std::uint64_t word_of(std::uint64_t i, std::uint64_t words) {
  std::uint64_t x = (i + 1) * 0x9E3779B97F4A7C15ULL;
  x = (x ^ x >> 30U) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ x >> 27U) * 0x94D049BB133111EBULL;
  return (x ^ x >> 31U) & (words - 1);
}

/// Makes updates, as many as there is room for.
struct make_updates {
  std::uint64_t words;
  template <class Lane, class Out>
  channels::outcome operator()(Lane& lane, const work& w, Out& updates) const {
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
  const std::uint64_t capacity = examples::number(argc, argv, "--capacity", 1U << 16U);
  bool right = true;
  const int status = examples::at_places(argc, argv, [&](channels::world& w) {
    const std::uint64_t per_place = words / w.places();
    if ((per_place & (per_place - 1)) != 0 || per_place * w.places() != words)
      throw channels::error("gups: the words of one place have to be a power of two");
    std::vector<std::uint64_t> slice(per_place, 0);

    channels::settings how = channels::settings::from_environment();
    if (how.compute_units == 0) how.compute_units = 1;  // places share the cores
    channels::runtime on(how);
    channels::graph g(on, w, "gups");
    const auto parts = g.channel<work>("parts", 16);
    const auto update = g.channel<std::uint64_t>("update", capacity);
    const int shift = std::countr_zero(per_place);
    const auto far =
        g.far(update, channels::owner([shift](std::uint64_t word) { return word >> shift; }));
    g.kernel("make", parts, make_updates{words}, channels::up_to(4096, far));
    g.kernel("add", update, add_one{slice.data(), per_place - 1});

    const std::uint64_t begin = updates * w.here() / w.places();
    const std::uint64_t end = updates * (w.here() + 1) / w.places();
    g.push(parts, {begin, end});
    const auto start = std::chrono::steady_clock::now();
    g.execute();
    g.wait();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;

    // Place 0 counts the slices that are wrong.
    channels::graph check(on, w, "check");
    const auto verdicts = check.channel<std::uint32_t>("verdicts", 1024);
    const auto wrong = check.accumulator<std::uint32_t>();
    check.kernel(
        "count", verdicts, [](auto&, std::uint32_t bad, std::uint32_t& n) { n += bad; }, wrong);
    check.push(check.far(verdicts, channels::to(0)),
               is_right(slice, per_place * w.here(), words, updates) ? 0U : 1U);
    check.execute();
    check.wait();
    if (w.here() == 0) {
      right = wrong.value() == 0;
      std::printf("%u places, %.1f M updates in %.3f s: %.1f M updates/s\n", w.places(),
                  static_cast<double>(updates) * 1e-6, took.count(),
                  static_cast<double>(updates) * 1e-6 / took.count());
      std::puts(right ? "right" : "wrong");
    }
  });
  return status != 0 || !right ? 1 : 0;
}
