#pragma once

#include "channels/detail/channel_view.hpp"

namespace channels::host {

/// Frees elements of one channel. It joins neighbours, so that one atomic serves a whole group.
class free_run {
 public:
  explicit free_run(const channel_view& view) : view_(view) {}

  /// Frees the element, now or with its neighbours.
  CHANNELS_INLINE void add(std::uint64_t ticket) {
    if (ticket != run_.end() || !run_) {
      view_.tfree(run_);
      run_ = {ticket, 0};
    }
    ++run_.count;
  }
  /// Frees what is left.
  void flush() {
    view_.tfree(run_);
    run_ = {};
  }

 private:
  const channel_view& view_;
  run run_;
};

}  // namespace channels::host
