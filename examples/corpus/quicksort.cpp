// Quicksort as a template over iterators and an order, with the standard library's partition; sorts
// numbers and strings.
#include <cilk/cilk.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "timing.h"

namespace corpus {

constexpr std::ptrdiff_t small = 32;

template <class Iterator, class Less = std::less<>>
void quicksort(Iterator begin, Iterator end, Less less = {}) {
  if (end - begin <= small) {
    for (Iterator i = begin; i != end; ++i)
      for (Iterator j = i; j != begin && less(*j, *(j - 1)); --j) std::swap(*j, *(j - 1));
    return;
  }
  // The median of three goes last, and then between those before it and those not before it.
  --end;
  Iterator middle = begin + (end - begin) / 2;
  if (less(*middle, *begin)) std::iter_swap(middle, begin);
  if (less(*end, *middle)) std::iter_swap(end, middle);
  if (less(*middle, *begin)) std::iter_swap(middle, begin);
  std::iter_swap(middle, end);
  const auto& pivot = *end;
  middle = std::partition(begin, end, [&](const auto& x) { return less(x, pivot); });
  std::iter_swap(middle, end);
  cilk_spawn quicksort(begin, middle, less);
  quicksort(middle + 1, end + 1, less);
  cilk_sync;
}

}  // namespace corpus

inline std::vector<int> unsorted(int n) {
  std::vector<int> v(n);
  unsigned seed = 7;
  for (int& x : v) {
    seed = seed * 1664525u + 1013904223u;
    x = static_cast<int>(seed >> 1);
  }
  return v;
}

inline bool report(const std::vector<int>& v) {
  std::vector<int> expected = unsorted(static_cast<int>(v.size()));
  std::sort(expected.begin(), expected.end());
  const bool good = v == expected;
  unsigned hash = 0;
  for (int x : v) hash = hash * 31 + static_cast<unsigned>(x);
  std::printf("quicksort of %zu ints: hash %08x, %s\n", v.size(), hash, good ? "sorted" : "WRONG");
  return good;
}

static bool sort_words(int n) {
  std::vector<std::string> words;
  for (int x : unsorted(n)) words.push_back(std::to_string(x % 10007));
  auto longer_first = [](const std::string& a, const std::string& b) {
    return a.size() != b.size() ? a.size() > b.size() : a < b;
  };
  corpus::quicksort(words.begin(), words.end(), longer_first);
  const bool good = std::is_sorted(words.begin(), words.end(), longer_first);
  std::printf("%d words from %s to %s, %s\n", n, words.front().c_str(), words.back().c_str(),
              good ? "sorted" : "WRONG");
  return good;
}

int main(int argc, char** argv) {
  argc = timing_option(argc, argv);
  const int n = argc > 1 ? std::atoi(argv[1]) : 50000;
  if (n < 1) return 1;
  std::vector<int> v = unsorted(n);
  timing_begin();
  corpus::quicksort(v.begin(), v.end());
  timing_end();
  bool good = report(v);
  good &= sort_words(std::min(n, 5000));
  return good ? 0 : 1;
}
