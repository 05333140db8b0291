#pragma once

#include <atomic>      // atomic
#include <cstdint>     // uint64_t
#include <functional>  // function
#include <mutex>       // mutex
#include <thread>      // jthread

#include "runtime/observe/progress_line.hpp"

namespace channels::host_code {

/// Shows on a terminal how far host code is, while some children are given and not joined. Its own
/// thread draws the line. The worker that joins the last child removes the line before the program
/// goes on, because the program may print something.
class code_watch {
 public:
  using look_at = std::function<detail::code_progress()>;

  /// Starts the line if stderr is a terminal. The watch's thread calls `look`.
  void begin(look_at look);
  void end();
  /// For a forked process: it has no such thread, and the thread may have held the mutex. Relaxed:
  /// see is_on.
  void forget() { on_.store(false, std::memory_order_relaxed); }

  /// Relaxed, as everywhere for `on_`: it changes only while no Cilk function runs.
  [[nodiscard]] bool is_on() const { return on_.load(std::memory_order_relaxed); }
  /// Relaxed: see `joined`.
  void gave() {
    if (is_on()) open_.fetch_add(1, std::memory_order_relaxed);
  }
  void joined(std::uint64_t children) {
    if (children == 0 || !is_on()) return;
    // Relaxed: the mutex orders what is drawn. Its holder has seen that no child is open, or this
    // call's `hide` comes after it.
    if (open_.fetch_sub(children, std::memory_order_relaxed) == children) hide();
  }

 private:
  void hide();
  void watch(const std::stop_token& stopping, const look_at& look);

  std::atomic<bool> on_{false};
  std::atomic<std::uint64_t> open_{0};  ///< children that are given and not joined
  std::mutex mutex_;                    ///< guards the line
  detail::progress_line line_;
  std::jthread thread_;
};

}  // namespace channels::host_code
