// Small objects of the library that tasks pass on and return: spans, text views, optional numbers, tuples. Variables of
// type 'auto' have types that are named where the library declares them.
// RUN: %device-run-and-compare %s -std=c++20
// RUN: %cilk2chan --device=emulated --explain --emit=tasks -std=c++20 %s -o %t.out 2>&1 | FileCheck %s
// CHECK-NOT: stays on the host
// CHECK: tasks: 4 of 4 functions
#include <cilk/cilk.h>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

static void scan(std::span<int> all) {
  if (all.size() < 32) {
    std::inclusive_scan(all.begin(), all.end(), all.begin());
    return;
  }
  auto left = all.first(all.size() / 2), right = all.subspan(all.size() / 2);
  cilk_spawn scan(left);
  scan(right);
  cilk_sync;
  const int before = left.back();
  for (int& one : right) one += before;
}

static std::optional<int> first_of(std::span<const int> all, int wanted, int at) {
  if (all.size() < 16) {
    for (std::size_t i = 0; i < all.size(); i++)
      if (all[i] == wanted) return at + static_cast<int>(i);
    return std::nullopt;
  }
  const auto half = all.size() / 2;
  auto left = cilk_spawn first_of(all.first(half), wanted, at);
  auto right = first_of(all.subspan(half), wanted, at + static_cast<int>(half));
  cilk_sync;
  return left ? left : right;
}

static std::tuple<int, int, long> extremes(const int* values, int n) {
  if (n == 1) return {values[0], values[0], values[0]};
  std::tuple<int, int, long> left = cilk_spawn extremes(values, n / 2);
  auto right = extremes(values + n / 2, n - n / 2);
  cilk_sync;
  auto [least, greatest, sum] = left;
  auto [other_least, other_greatest, other_sum] = right;
  return {std::min(least, other_least), std::max(greatest, other_greatest), sum + other_sum};
}

static long words(std::string_view text) {
  if (text.size() < 40) {
    long count = 0;
    bool inside = false;
    for (const char c : text) {
      count += c != ' ' && !inside ? 1 : 0;
      inside = c != ' ';
    }
    return count;
  }
  auto cut = text.find(' ', text.size() / 2);
  if (cut == std::string_view::npos) cut = text.size();
  if (cut == text.size()) return words(text.substr(0, 39));
  const long left = cilk_spawn words(text.substr(0, cut));
  const long right = words(text.substr(cut));
  cilk_sync;
  return left + right;
}

int main() {
  std::vector<int> values(500);
  for (int i = 0; i < 500; i++) values[i] = i * 31 % 41;
  auto sums = values;
  scan(sums);
  const auto found = first_of(values, 40, 0), missing = first_of(values, 41, 0);
  const auto [least, greatest, sum] = extremes(values.data(), 500);
  std::string text;
  for (int i = 0; i < 200; i++) text += "word" + std::to_string(i) + (i % 5 != 0 ? " " : "  ");
  std::printf("%d %d %d %d %d %ld %ld\n", sums[499], found.value_or(-1), missing.value_or(-1), least, greatest, sum,
              words(text));
  return 0;
}
