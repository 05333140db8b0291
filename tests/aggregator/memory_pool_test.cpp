#include "runtime/aggregator/memory_pool.hpp"

#include <gtest/gtest.h>

#include <algorithm>  // any_of
#include <vector>     // vector

#include "channels/config.hpp"
#include "tests/channel/seed.hpp"

namespace channels::detail {
namespace {

using channels::testing::dice;
using channels::testing::for_each_seed;

/// The same pool in its simplest form: a flag for each cache line.
class reference_pool {
 public:
  explicit reference_pool(std::size_t bytes) : used_(bytes / cache_line) {}

  /// The length of the shortest free piece of at least `lines`, or 0.
  [[nodiscard]] std::size_t best_fit(std::size_t lines) const {
    std::size_t best = 0;
    std::size_t length = 0;
    for (std::size_t i = 0; i <= used_.size(); ++i) {
      if (i < used_.size() && !used_[i]) {
        ++length;
        continue;
      }
      if (length >= lines && (best == 0 || length < best)) best = length;
      length = 0;
    }
    return best;
  }
  /// The length of the free piece that begins at `line`.
  [[nodiscard]] std::size_t piece_at(std::size_t line) const {
    std::size_t end = line;
    while (end < used_.size() && !used_[end]) ++end;
    return end - line;
  }
  [[nodiscard]] bool begins_piece(std::size_t line) const {
    return !used_[line] && (line == 0 || used_[line - 1]);
  }
  void mark(std::size_t line, std::size_t lines, bool used) {
    for (std::size_t i = line; i < line + lines; ++i) {
      ASSERT_NE(used_[i], used) << "line " << i << (used ? " is taken twice" : " is freed twice");
      used_[i] = used;
    }
  }

 private:
  std::vector<bool> used_;
};

TEST(memory_pool, rounds_to_cache_lines) {
  memory_pool pool(1000);
  EXPECT_EQ(pool.size(), 960U);
  EXPECT_EQ(pool.take(1)->bytes, cache_line);
  EXPECT_EQ(pool.take(0)->bytes, cache_line);
  EXPECT_EQ(pool.take(65)->bytes, 2 * cache_line);
  EXPECT_EQ(pool.in_use(), 4 * cache_line);
}

TEST(memory_pool, has_nothing_to_give_when_it_is_empty_or_used_up) {
  memory_pool empty(10);
  EXPECT_EQ(empty.size(), 0U);
  EXPECT_FALSE(empty.take(1));
  memory_pool pool(128);
  EXPECT_FALSE(pool.take(129));
  EXPECT_TRUE(pool.take(128));
  EXPECT_FALSE(pool.take(1));
}

TEST(memory_pool, joins_what_is_given_back_in_any_order) {
  std::vector<int> order = {0, 1, 2, 3, 4};
  do {
    memory_pool pool(5 * cache_line);
    std::vector<memory_block> blocks;
    for (int i = 0; i < 5; ++i) blocks.push_back(*pool.take(cache_line));
    for (const int i : order) pool.give_back(blocks[static_cast<std::size_t>(i)]);
    EXPECT_TRUE(pool.take(5 * cache_line));
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(memory_pool, agrees_with_a_slow_one_on_every_random_history) {
  for_each_seed(40, [](std::uint64_t seed) {
    dice d(seed);
    const std::size_t size = cache_line * d.from(std::size_t{1}, 200);
    memory_pool pool(size);
    reference_pool reference(size);
    std::vector<memory_block> taken;
    std::size_t in_use = 0;
    std::size_t most = 0;
    for (int step = 0; step < 500 && !::testing::Test::HasFailure(); ++step) {
      if (d.once_in(2) || taken.empty()) {
        const std::size_t bytes = d.from(std::size_t{1}, size / 4 + cache_line);
        const std::size_t lines = (bytes + cache_line - 1) / cache_line;
        const std::size_t best = reference.best_fit(lines);
        const auto block = pool.take(bytes);
        ASSERT_EQ(block.has_value(), best != 0);
        if (!block) continue;
        ASSERT_EQ(block->bytes, lines * cache_line);
        ASSERT_EQ(block->offset % cache_line, 0U);
        ASSERT_LE(block->offset + block->bytes, size);
        const std::size_t line = block->offset / cache_line;
        ASSERT_TRUE(reference.begins_piece(line));
        ASSERT_EQ(reference.piece_at(line), best) << "the shortest piece that is long enough";
        reference.mark(line, lines, true);
        taken.push_back(*block);
        in_use += block->bytes;
        most = std::max(most, in_use);
      } else {
        const std::size_t i = d.from(std::size_t{0}, taken.size() - 1);
        reference.mark(taken[i].offset / cache_line, taken[i].bytes / cache_line, false);
        pool.give_back(taken[i]);
        in_use -= taken[i].bytes;
        taken.erase(taken.begin() + static_cast<std::ptrdiff_t>(i));
      }
      ASSERT_EQ(pool.in_use(), in_use);
      ASSERT_EQ(pool.high_water(), most);
    }
    for (const memory_block& b : taken) pool.give_back(b);
    EXPECT_EQ(pool.in_use(), 0U);
    EXPECT_TRUE(pool.take(size)) << "everything joins again";
  });
}

}  // namespace
}  // namespace channels::detail
