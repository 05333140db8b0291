#pragma once

#include <cstddef>  // byte, size_t
#include <cstdint>  // fixed-width integers
#include <vector>   // vector

#include "runtime/aggregator/element_copies.hpp"
#include "runtime/aggregator/headway.hpp"
#include "runtime/aggregator/run_context.hpp"

namespace channels::detail {

/// Elements of channels without levels that found no room for what they write, and were moved to
/// the host's memory: a channel's places become free in order, so what waits in one would keep the
/// places behind it. The last one that was moved comes back first, so that a recursion goes deep
/// instead of wide and few wait. Invariant: an element is in a channel, or here, once.
///
/// They take at most as much memory again as `settings::memory` says.
class parked_elements {
 public:
  parked_elements(const run_context& run, const element_copies& copies, headway& progress)
      : run_(run), copies_(copies), headway_(progress), lots_(run.model.stacks.size()) {}

  [[nodiscard]] bool empty() const { return count_ == 0; }
  /// How many were moved so far, each time counted.
  [[nodiscard]] std::uint64_t moves() const { return moves_; }
  /// How many of `stack` are here.
  [[nodiscard]] std::uint64_t count_of(std::uint32_t stack) const {
    return lots_[stack].elements.size() / run_.model.stacks[stack].element_bytes;
  }

  /// Nothing is in flight: moves what waits in channels of which a good part are done elements that
  /// are kept by it. True if there was anything. Throws `channels::error` without memory.
  bool park_waiting();
  /// Nothing runs and nothing can: moves all elements here, and lets a few of them go on with all
  /// the room there is. False if the one that had all the room to itself did nothing with it.
  /// Throws as above.
  bool relieve();
  /// Nothing is in flight: moves all elements here, and none back. False if there was none. Throws
  /// as above.
  bool park_all();

 private:
  struct lot {
    std::vector<std::byte> elements;  ///< one after the other, the last moved last
    std::uint64_t last_moved = 0;     ///< when, in `moves_`
  };

  void park(channel_state& c, std::vector<std::uint64_t> tickets);
  void check_memory(std::uint32_t stack, std::size_t more) const;
  void bring_back();
  template <class Visit>
  void for_each_channel(const Visit& visit) const;

  const run_context& run_;
  const element_copies& copies_;
  headway& headway_;
  std::vector<lot> lots_;  ///< by stack
  std::size_t bytes_ = 0;
  std::uint64_t count_ = 0;
  std::uint64_t moves_ = 0;
  std::uint64_t at_once_ = most_at_once;  ///< how many come back together
  std::uint64_t finished_before_ = 0;     ///< `headway::finished` when some came back last
  std::uint64_t tries_before_ = 0;        ///< `headway::batches` when one alone came back first

  static constexpr std::uint64_t most_at_once = std::uint64_t{1} << 20U;
};

}  // namespace channels::detail
