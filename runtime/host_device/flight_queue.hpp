#pragma once

#include <atomic>   // atomic
#include <cstddef>  // size_t
#include <mutex>    // mutex
#include <vector>   // vector

#include "channels/detail/flight.hpp"

namespace channels::detail {

/// Batches that wait for a unit, or that have ended. It has room for all that are in flight, so it
/// takes one at any time and no memory during a run. Not a channel: that is full behind a thread
/// that was stopped between talloc and enq, even when nearly all of it is free. Any thread may call
/// it.
class flight_queue {
 public:
  explicit flight_queue(std::size_t capacity) : ring_(capacity) {}

  /// Fewer than `capacity` are in it.
  void push(flight* f) {
    const std::lock_guard lock(mutex_);
    const std::size_t count = count_.load(std::memory_order_relaxed);
    ring_[(first_ + count) % ring_.size()] = f;
    // Relaxed, everywhere: whoever sees it takes the mutex before it reads anything else.
    count_.store(count + 1, std::memory_order_relaxed);
  }

  /// The one that has been in it for longest, or null.
  [[nodiscard]] flight* pop() {
    // Idle units ask again and again.
    if (count_.load(std::memory_order_relaxed) == 0) return nullptr;
    const std::lock_guard lock(mutex_);
    const std::size_t count = count_.load(std::memory_order_relaxed);
    if (count == 0) return nullptr;
    flight* const f = ring_[first_];
    first_ = (first_ + 1) % ring_.size();
    count_.store(count - 1, std::memory_order_relaxed);
    return f;
  }

 private:
  std::mutex mutex_;
  std::vector<flight*> ring_;
  std::size_t first_ = 0;
  std::atomic<std::size_t> count_{0};
};

}  // namespace channels::detail
