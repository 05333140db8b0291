#pragma once

#include <cstdint>  // fixed-width integers
#include <vector>   // vector

#include "channels/detail/channel_protocol.hpp"

namespace channels::detail {

/// Runs of ready elements, oldest first. Invariant: the runs from `front_` on are those in the
/// queue, none is empty, and `count_` is their sum. A vector with a moving front, since it is
/// mostly one or two runs long.
class run_queue {
 public:
  void push(run r);
  void push_front(run r);
  /// Takes up to `most` elements as up to `runs` runs; returns how many elements.
  std::uint32_t take(run* into, std::uint32_t runs, std::uint32_t most, std::uint32_t& taken_runs);
  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] std::size_t runs() const { return runs_.size() - front_; }
  /// Copies up to `most` runs, which stay, sorted by ticket: batches end and give back in any
  /// order. Returns how many.
  std::uint32_t copy_by_ticket(run* to, std::uint32_t most) const;

 private:
  std::vector<run> runs_;
  std::size_t front_ = 0;
  std::uint64_t count_ = 0;
};

}  // namespace channels::detail
