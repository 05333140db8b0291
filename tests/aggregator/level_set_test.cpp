#include "runtime/aggregator/level_set.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <set>

#include "tests/channel/seed.hpp"
#include "tests/support/shapes.hpp"

namespace channels::testing {
namespace {

using detail::level_set;

std::vector<std::int64_t> all_of(const level_set& set, std::int64_t from) {
  std::vector<std::int64_t> found;
  for (std::int64_t at = set.deepest_before(from); at >= 0; at = set.deepest_before(at)) {
    found.push_back(at);
  }
  return found;
}

TEST(level_set, has_what_was_added_and_not_removed_deepest_first_while_it_grows) {
  for_each_seed(scaled(200), [](std::uint64_t seed) {
    dice d(seed);
    level_set set;
    std::set<std::int64_t> wanted;
    int levels = 1;
    set.reach(0);
    for (int step = 0; step < 200; ++step) {
      if (d.from(0, 3) == 0) {
        levels += d.from(0, 1) == 0 ? 64 - levels % 64 : d.from(1, 2000);
        set.reach(static_cast<std::uint32_t>(levels - 1));
      }
      const int level = d.from(0, levels - 1);
      if (d.from(0, 2) == 0) {
        set.remove(static_cast<std::uint32_t>(level));
        wanted.erase(level);
      } else {
        set.add(static_cast<std::uint32_t>(level));
        wanted.insert(level);
      }
    }
    const std::vector<std::int64_t> expected(wanted.rbegin(), wanted.rend());
    EXPECT_EQ(all_of(set, levels), expected);
  });
}

/// The fastest of some turns in which a level near the end is found, removed and added.
std::chrono::nanoseconds cost_at(std::uint32_t levels) {
  level_set set;
  set.reach(levels - 1);
  set.add(0);
  auto fastest = std::chrono::nanoseconds::max();
  for (int attempt = 0; attempt < 20; ++attempt) {
    const auto begin = std::chrono::steady_clock::now();
    for (int turn = 0; turn < 1000; ++turn) {
      set.add(levels - 2);
      EXPECT_EQ(set.deepest_before(levels), levels - 2);
      EXPECT_EQ(set.deepest_before(levels - 2), 0);
      set.remove(levels - 2);
    }
    fastest = std::min<std::chrono::nanoseconds>(fastest, std::chrono::steady_clock::now() - begin);
  }
  return fastest;
}

TEST(level_set, costs_the_same_at_any_depth) {
  // A walk over all words would take 65,536 times as long.
  EXPECT_LT(cost_at(1U << 22U), 30 * cost_at(64));
}

}  // namespace
}  // namespace channels::testing
