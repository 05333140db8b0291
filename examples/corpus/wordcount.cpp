// How often each word occurs in a text, and which lines are the longest: reducers of class types,
// which a cilk_for and spawned functions add to. The list of lines keeps the serial order.
#include <cilk/cilk.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "timing.h"

class word_counts {
 public:
  void add(std::string_view word, long times = 1) {
    auto found = counts_.find(word);
    if (found == counts_.end()) found = counts_.emplace(word, 0).first;
    found->second += times;
  }
  void merge(const word_counts& other) {
    for (const auto& [word, times] : other.counts_) add(word, times);
  }
  const auto& all() const { return counts_; }

 private:
  std::map<std::string, long, std::less<>> counts_;
};

using lines = std::vector<std::size_t>;

template <class T>
void make(void* view) {
  ::new (view) T();
}

void merge_counts(void* left, void* right) {
  auto* r = static_cast<word_counts*>(right);
  static_cast<word_counts*>(left)->merge(*r);
  r->~word_counts();
}

void append_lines(void* left, void* right) {
  auto *l = static_cast<lines*>(left), *r = static_cast<lines*>(right);
  l->insert(l->end(), r->begin(), r->end());
  r->~lines();
}

static word_counts cilk_reducer(make<word_counts>, merge_counts) counts;

static void count_words(std::string_view line) {
  while (!line.empty()) {
    const auto end = std::min(line.find(' '), line.size());
    if (end > 0) counts.add(line.substr(0, end));
    line.remove_prefix(std::min(end + 1, line.size()));
  }
}

static std::vector<std::string> make_text(int n) {
  static const char* const syllables[] = {"ka", "no", "mi", "ru", "tes", "o", "ven", "la"};
  std::vector<std::string> text(n);
  unsigned seed = 3;
  for (auto& line : text) {
    seed = seed * 1664525u + 1013904223u;
    for (unsigned words = seed >> 28; words > 0; --words) {
      unsigned word = (seed = seed * 1664525u + 1013904223u) >> 22;
      word = word * word >> 12;  // small ones more often
      do line += syllables[word % 8];
      while ((word /= 8) > 0);
      line += words > 1 ? " " : "";
    }
  }
  return text;
}

int main(int argc, char** argv) {
  argc = timing_option(argc, argv);
  const int n = argc > 1 ? std::atoi(argv[1]) : 2000;
  const std::vector<std::string> text = make_text(n);
  lines cilk_reducer(make<lines>, append_lines) empty;
  lines cilk_reducer(make<lines>, append_lines) longest;
  std::size_t width = 0;
  for (const auto& line : text) width = std::max(width, line.size());

  timing_begin();
  cilk_for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i].empty()) empty.push_back(i);
    if (text[i].size() + 8 > width) longest.push_back(i);
    count_words(text[i]);
  }
  timing_end();

  long words = 0, expected = 0;
  std::pair<std::string, long> most;
  for (const auto& [word, times] : counts.all()) {
    words += times;
    if (times > most.second) most = {word, times};
  }
  for (const auto& line : text)
    expected += line.empty() ? 0 : 1 + std::count(line.begin(), line.end(), ' ');
  bool good = words == expected && std::is_sorted(empty.begin(), empty.end()) &&
              std::is_sorted(longest.begin(), longest.end());
  std::size_t hash = 0;
  for (std::size_t i : longest) hash = hash * 31 + i;
  for (std::size_t i : empty) hash = hash * 37 + i;
  std::printf(
      "%d lines, %zu empty, %zu long, hash %zx; %ld words, %zu different, most often \"%s\" (%ld); "
      "%s\n",
      n, empty.size(), longest.size(), hash, words, counts.all().size(), most.first.c_str(),
      most.second, good ? "right" : "WRONG");
  return good ? 0 : 1;
}
