// Counts the words of a text on channels: lines become words, and words are counted.
//
//   wordcount_graph [file]
//
// A line may have any number of words, so its body writes what fits, and comes back with the rest
// of the line: the channel of words can be as small as one likes.

#include <algorithm>      // find, sort
#include <cctype>         // isalpha, tolower
#include <cstdint>        // fixed-width integers
#include <cstdio>         // printf, fprintf
#include <fstream>        // ifstream
#include <iterator>       // istreambuf_iterator
#include <string>         // string
#include <unordered_map>  // unordered_map
#include <vector>         // vector

#include "channels/error.hpp"
#include "channels/graph.hpp"

namespace {

struct piece {
  const char* begin;
  const char* end;
};

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

struct split {
  template <class Lane, class Port>
  channels::outcome operator()(Lane& lane, piece line, Port& words) const {
    while (line.begin != line.end) {
      if (!is_letter(*line.begin)) {
        ++line.begin;
        continue;
      }
      const char* end = line.begin;
      while (end != line.end && is_letter(*end)) ++end;
      if (words.try_push({line.begin, end}) == nullptr) return lane.retry(line);
      line.begin = end;
    }
    return lane.done();
  }
};

using counts = std::unordered_map<std::string, std::uint64_t>;

struct join_counts {
  counts operator()(counts a, const counts& b) const {
    for (const auto& [word, n] : b) a[word] += n;
    return a;
  }
};

struct count_word {
  template <class Lane>
  void operator()(Lane& /*lane*/, piece word, counts& all) const {
    std::string lower(word.begin, word.end);
    for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    ++all[lower];
  }
};

}  // namespace

int main(int argc, char** argv) try {
  std::string text = "The quick brown fox jumps over the lazy dog.\nThe dog sleeps.\n";
  if (argc > 1) {
    std::ifstream file(argv[1]);
    text.assign(std::istreambuf_iterator<char>(file), {});
  }

  channels::runtime on;
  channels::graph g(on, "wordcount");
  const auto lines = g.channel<piece>("lines", 4096);
  const auto words = g.channel<piece>("words", 16384);
  const auto all = g.accumulator<counts>({}, join_counts{});
  g.kernel("split", lines, split{}, channels::up_to(16, words));
  g.kernel("count", words, count_word{}, all);
  const char* const end = text.data() + text.size();
  for (const char* line = text.data(); line != end;) {
    const char* const next = std::find(line, end, '\n');
    g.push(lines, {line, next});
    line = next == end ? end : next + 1;
  }
  g.execute();
  g.wait();

  const counts found = all.value();
  std::vector<std::pair<std::string, std::uint64_t>> most(found.begin(), found.end());
  std::sort(most.begin(), most.end(), [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  if (most.size() > 5) most.resize(5);
  for (const auto& [word, n] : most)
    std::printf("%8llu %s\n", static_cast<unsigned long long>(n), word.c_str());
} catch (const channels::error& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
