// Counts k-mers, the words of k letters in the reads of a genome, in a hash table that is spread
// over the places. Each place cuts its reads into words, and a word goes to the place whose part of
// the table it belongs to. This is how the assembly of a genome begins.
//
//   mer [--places 4] [--genome LETTERS] [--reads N] [--transport threads|mpi]
//
// Genome, reads and their errors are made at random. At the end each place compares its part of the
// table with what a serial program counts.

#include <cstdint>        // fixed-width integers
#include <unordered_map>  // unordered_map
#include <utility>        // move
#include <vector>         // vector

#include "channels/graph.hpp"
#include "places.hpp"

namespace {

constexpr std::uint32_t k = 21;              ///< letters of a word; two bits each
constexpr std::uint32_t read_letters = 100;  ///< of a read

/// One of the four letters at a place of the genome.
std::uint64_t letter(std::uint64_t place) { return examples::scramble(place) & 3U; }

/// Where read `r` begins.
std::uint64_t start_of(std::uint64_t r, std::uint64_t genome) {
  return examples::scramble(r ^ 0x5EAD5ULL << 40U) % (genome - read_letters);
}

/// Letter `i` of read `r`; one in a hundred is wrong.
std::uint64_t read_letter(std::uint64_t r, std::uint32_t i, std::uint64_t start) {
  const std::uint64_t noise = examples::scramble(r * read_letters + i + (1ULL << 50U));
  return noise % 100 == 0 ? noise >> 32U & 3U : letter(start + i);
}

/// Calls `take(word, i)` for each word of a read, from its `i`th on, until that returns false.
/// Returns the number of the word that it did not take, or that of all words.
template <class Take>
std::uint32_t words_of(std::uint64_t r, std::uint64_t genome, std::uint32_t from,
                       const Take& take) {
  constexpr std::uint64_t mask = (std::uint64_t{1} << 2 * k) - 1;
  const std::uint64_t start = start_of(r, genome);
  std::uint64_t word = 0;
  for (std::uint32_t i = from; i < read_letters; ++i) {
    word = (word << 2U | read_letter(r, i, start)) & mask;
    if (i - from + 1 >= k && !take(word)) return i + 1 - k;
  }
  return read_letters + 1 - k;
}

/// A hash table of words and how often each has come. Places of words that have not come are empty.
class word_table {
 public:
  /// Adds 1 to the count of `word`.
  void add(std::uint64_t word) {
    if (2 * (words_ + 1) > entries_.size()) grow();
    entry& e = place_of(word);
    if (e.count == 0) {
      e.word = word;
      ++words_;
    }
    ++e.count;
  }
  [[nodiscard]] std::uint32_t count(std::uint64_t word) {
    return entries_.empty() ? 0 : place_of(word).count;
  }
  [[nodiscard]] std::uint64_t words() const { return words_; }

 private:
  struct entry {
    std::uint64_t word = 0;
    std::uint32_t count = 0;
  };

  entry& place_of(std::uint64_t word) {
    std::uint64_t at = examples::scramble(word) & (entries_.size() - 1);
    while (entries_[at].count != 0 && entries_[at].word != word)
      at = (at + 1) & (entries_.size() - 1);
    return entries_[at];
  }
  void grow() {
    const std::vector<entry> old = std::move(entries_);
    entries_.assign(old.empty() ? 1024 : 2 * old.size(), {});
    for (const entry& e : old) {
      if (e.count != 0) place_of(e.word) = e;
    }
  }

  std::vector<entry> entries_;
  std::uint64_t words_ = 0;
};

/// The place of a word. Not by the bits that the table uses, or its places would not all be used.
std::uint64_t owner_of(std::uint64_t word, std::uint32_t places) {
  return (examples::scramble(word) >> 40U) % places;
}

/// Reads still to be cut: from `next` on, that one from its word `word` on.
struct reads {
  std::uint64_t next;
  std::uint64_t end;
  std::uint32_t word;
};

struct cut {
  std::uint64_t genome;
  template <class Lane, class Out>
  channels::outcome operator()(Lane& lane, const reads& r, Out& words) const {
    std::uint32_t from = r.word;
    for (std::uint64_t i = r.next; i < r.end; ++i, from = 0) {
      const std::uint32_t reached = words_of(
          i, genome, from, [&](std::uint64_t word) { return words.try_push(word) != nullptr; });
      if (reached != read_letters + 1 - k) return lane.retry({i, r.end, reached});
    }
    return lane.done();
  }
};

struct insert {
  word_table* table;
  template <class Lane>
  void operator()(Lane& /*lane*/, const std::uint64_t& word) const {
    table->add(word);
  }
};

/// Whether the table has what a serial program counts of this place's words.
bool is_right(word_table& table, const channels::world& w, std::uint64_t genome,
              std::uint64_t count) {
  std::unordered_map<std::uint64_t, std::uint32_t> reference;
  for (std::uint64_t r = 0; r < count; ++r) {
    words_of(r, genome, 0, [&](std::uint64_t word) {
      if (owner_of(word, w.places()) == w.here()) ++reference[word];
      return true;
    });
  }
  if (reference.size() != table.words()) return false;
  for (const auto& [word, times] : reference) {
    if (table.count(word) != times) return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t genome = examples::number(argc, argv, "--genome", 50'000);
  const std::uint64_t count = examples::number(argc, argv, "--reads", 10'000);
  const std::uint64_t capacity = examples::number(argc, argv, "--capacity", 1U << 14U);
  return examples::at_places(argc, argv, [&](const channels::world& w) {
    if (genome <= read_letters) throw channels::error("mer: a genome of more than 100 letters");
    word_table table;

    channels::runtime on(examples::one_unit());
    channels::graph g(on, w, "mer");
    const auto parts = g.channel<reads>("reads", 16);
    const auto words = g.channel<std::uint64_t>("words", capacity);
    const auto far = g.far(
        words, channels::owner([&w](std::uint64_t word) { return owner_of(word, w.places()); }));
    g.kernel("cut", parts, cut{genome}, channels::up_to(4096, far));
    g.kernel("insert", words, insert{&table});

    const examples::slices mine(count, w.places());
    g.push(parts, {mine.first(w.here()), mine.end(w.here()), 0});
    const double took = examples::seconds([&] {
      g.execute();
      g.wait();
    });
    bool right = false;
    const double serially = examples::seconds([&] { right = is_right(table, w, genome, count); });
    return examples::report(w, static_cast<double>(count * (read_letters + 1 - k)), "words", took,
                            serially, examples::everywhere(on, w, right));
  });
}
