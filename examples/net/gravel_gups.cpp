// The program of gups.cpp by Gravel's names (gravel.hpp), with its other messages: each update is
// an increment; one in eight, also an active message that adds up what was updated; and each place
// puts its number into the memory of all others.
//
//   gravel_gups [--places 4] [--words WORDS] [--updates UPDATES] [--transport threads|mpi]
//
// WORDS are those of one place. At the end all three are compared with what a serial program makes.

#include <algorithm>  // equal
#include <cstdint>    // fixed-width integers
#include <vector>     // vector

#include "gravel.hpp"
#include "places.hpp"

int main(int argc, char** argv) {
  const std::uint64_t words = examples::number(argc, argv, "--words", 1U << 18U);
  const std::uint64_t updates = examples::number(argc, argv, "--updates", 1'000'000);
  return examples::at_places(argc, argv, [&](const channels::world& w) {
    if (words == 0) throw channels::error("gravel_gups: --words has to be 1 or more");
    const std::uint64_t all_words = words * w.places();
    const auto word_of = [all_words](std::uint64_t i) { return examples::scramble(i) % all_words; };

    channels::runtime on(examples::one_unit());
    gravel::node n(on, w, words + w.places(), 2);
    std::uint64_t* const table = n.memory();
    std::uint64_t* const numbers = n.memory() + words;
    std::uint64_t sum = 0;
    const std::uint16_t add =
        n.add_handler([&sum](std::uint64_t i, std::uint64_t word) { sum += i ^ word; });

    const examples::slices mine(updates, w.places());
    const std::uint64_t first = mine.first(w.here());
    const double took = examples::seconds([&] {
      n.run(mine.size(w.here()), [&](gravel::sender& s, std::uint64_t item) {
        const std::uint64_t i = first + item;
        const std::uint64_t word = word_of(i);
        const auto place = static_cast<std::uint32_t>(word / words);
        s.shmem_inc(&table[word % words], place);
        s.shmem_am(add, i, word % words, place, i % 8 == 0);
      });
      n.run(w.places(), [&](gravel::sender& s, std::uint64_t place) {
        s.shmem_put(&numbers[w.here()], w.here() + 1, static_cast<std::uint32_t>(place));
      });
    });

    std::vector<std::uint64_t> reference(words, 0);
    std::uint64_t reference_sum = 0;
    const double serially = examples::seconds([&] {
      for (std::uint64_t i = 0; i < updates; ++i) {
        const std::uint64_t word = word_of(i);
        if (word / words != w.here()) continue;
        ++reference[word % words];
        if (i % 8 == 0) reference_sum += i ^ word % words;
      }
    });
    bool right = sum == reference_sum && std::equal(reference.begin(), reference.end(), table);
    for (std::uint32_t place = 0; place < w.places(); ++place)
      right = right && numbers[place] == place + 1;
    right = examples::everywhere(on, w, right);
    return examples::report(w, static_cast<double>(updates), "updates", took, serially, right);
  });
}
