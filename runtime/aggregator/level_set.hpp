#pragma once

#include <bit>      // countl_zero
#include <cstdint>  // fixed-width integers
#include <vector>   // vector

namespace channels::detail {

/// A set of levels, from which the deepest are found first, at a cost that does not grow with the
/// depth: a tree of words. A bit of a word says whether the word below it has any; the words of the
/// first tier have a bit for each level.
class level_set {
 public:
  /// Makes room for the levels up to `level`.
  void reach(std::uint32_t level) {
    std::size_t words = std::size_t{level} / 64 + 1;
    for (std::size_t tier = 0;; ++tier, words = (words + 63) / 64) {
      const bool added = tier == tiers_.size();
      if (added) tiers_.emplace_back();
      if (tiers_[tier].size() < words) tiers_[tier].resize(words);
      // What a new root is above was there before it.
      if (added && tier != 0 && tiers_[tier - 1].front() != 0) tiers_[tier].front() |= 1;
      if (words == 1) break;
    }
  }

  /// Adds a level that `reach` has made room for.
  void add(std::uint32_t level) {
    std::uint64_t at = level;
    for (std::vector<std::uint64_t>& tier : tiers_) {
      std::uint64_t& word = tier[at / 64];
      const std::uint64_t before = word;
      word |= std::uint64_t{1} << at % 64;
      if (before != 0) return;
      at /= 64;
    }
  }

  void remove(std::uint32_t level) {
    std::uint64_t at = level;
    for (std::vector<std::uint64_t>& tier : tiers_) {
      std::uint64_t& word = tier[at / 64];
      word &= ~(std::uint64_t{1} << at % 64);
      if (word != 0) return;
      at /= 64;
    }
  }

  /// The deepest level of the set above `below`, or -1.
  [[nodiscard]] std::int64_t deepest_before(std::int64_t below) const {
    // Up, until a word has something in front of the way; then down along the last bits.
    auto at = static_cast<std::uint64_t>(below);
    for (std::size_t tier = 0; tier < tiers_.size(); ++tier, at /= 64) {
      // Behind the end there is nothing: all of the last word is in front of it.
      const bool behind = at / 64 >= tiers_[tier].size();
      const std::uint64_t index = behind ? tiers_[tier].size() - 1 : at / 64;
      const std::uint64_t word = tiers_[tier][index];
      const std::uint64_t before = behind ? word : word & ((std::uint64_t{1} << at % 64) - 1);
      at = index * 64;
      if (before == 0) continue;
      at += last_of(before);
      for (; tier != 0; --tier) at = at * 64 + last_of(tiers_[tier - 1][at]);
      return static_cast<std::int64_t>(at);
    }
    return -1;
  }

 private:
  static std::uint64_t last_of(std::uint64_t word) {
    return 63 - static_cast<std::uint64_t>(std::countl_zero(word));
  }

  std::vector<std::vector<std::uint64_t>> tiers_;
};

}  // namespace channels::detail
