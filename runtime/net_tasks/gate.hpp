#pragma once

#include <algorithm>  // min
#include <chrono>     // microseconds
#include <cstdint>    // uint32_t

#include "runtime/host_code/worker.hpp"

namespace channels::net_tasks {

/// Whether children may leave this rank. A child that ran for a shorter time than it was under way
/// should have stayed: each one closes the gate for longer than it has cost, twice as long as the
/// one before. So a program of many small parallel regions loses a bounded part of its time, and a
/// large computation loses little at its small pieces.
class gate {
 public:
  using clock = host_code::clock;

  [[nodiscard]] bool is_open(clock::time_point now) const { return now >= closed_until_; }
  /// A child came back after `away`, of which it `ran` for a part.
  void child_came_back(clock::time_point now, clock::duration away, clock::duration ran) {
    if (ran >= away / 2) {
      too_small_ = 0;
      return;
    }
    closed_until_ = now + away * (1U << too_small_);
    too_small_ = std::min(too_small_ + 1, most_doublings);
  }

 private:
  /// At the most a part in 64 of the time goes to children that are too small.
  static constexpr std::uint32_t most_doublings = 6;

  clock::time_point closed_until_;
  std::uint32_t too_small_ = 0;  ///< of the last children in a row
};

}  // namespace channels::net_tasks
