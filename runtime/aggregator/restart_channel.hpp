#pragma once

#include <cstdint>  // fixed-width integers

#include "channels/detail/batch.hpp"
#include "channels/detail/element.hpp"
#include "runtime/aggregator/run_memory.hpp"

namespace channels {
struct settings;
}

namespace channels::detail {

/// The channel that kernels enqueue restart contexts in, at the start of the run's memory.
/// Invariant: it is never full, for it has as many elements as lanes may be in flight (`room`), and
/// each lane leaves one context at most.
class restart_channel {
 public:
  /// Takes at most a thirty-second part of `memory`, which then limits batches. Throws
  /// `channels::error` if `memory` is too small for any.
  restart_channel(run_memory& memory, const device& on, const graph_model& model,
                  const settings& options);

  [[nodiscard]] const bound_channel& bound() const { return channel_; }
  /// Bytes of the run's memory that it takes.
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  /// Elements that a batch may have.
  [[nodiscard]] std::uint32_t most_in_batch() const { return most_in_batch_; }
  [[nodiscard]] bool is_empty() const { return channel_.view.live() == 0; }
  /// Lanes that may still be dispatched while `lanes` are in flight. Lanes in flight that have left
  /// their context count twice: a lane that has not may hold its space back.
  [[nodiscard]] std::uint64_t room(std::uint64_t lanes) const {
    const std::uint64_t contexts = lanes + channel_.view.live();
    return contexts < capacity_ ? capacity_ - contexts : 0;
  }
  /// Takes all contexts that were enqueued, and calls `file` with each. True if there was one.
  template <class File>
  bool collect(File file) {
    bool any = false;
    while (const run r = channel_.view.peek(position_)) {
      any = true;
      ++position_;
      for (std::uint32_t i = 0; i < r.count; ++i) {
        file(layout_of<restart_context>::load(channel_.view.data(), capacity_,
                                              channel_.view.slot(r.first + i)));
      }
      channel_.view.tfree(r);
    }
    channel_.view.reclaim();
    return any;
  }
  /// Makes its memory as clean as it was. The run has ended without an error. The next run then
  /// need not clear it, which is 84 MB for batches of a million.
  void clear();

 private:
  run_memory& memory_;
  bound_channel channel_;
  std::uint64_t position_ = 0;  ///< control words taken
  std::uint32_t capacity_ = 0;
  std::uint32_t most_in_batch_ = 0;
  std::size_t bytes_ = 0;
  std::size_t zeroed_bytes_ = 0;  ///< those that were 0 when it was made
};

}  // namespace channels::detail
