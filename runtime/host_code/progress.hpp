#pragma once

#include <atomic>      // atomic
#include <cstdint>     // uint64_t
#include <functional>  // function
#include <mutex>       // mutex
#include <thread>      // jthread

#include "runtime/observe/progress_line.hpp"

namespace channels::host_code {

/// Says on a terminal how far host code is, while there are children that were given away and not
/// joined. A thread of its own looks; but who joins the last one takes the line away before the
/// program goes on, which may have something to print.
class code_watch {
 public:
  using look_at = std::function<detail::code_progress()>;

  /// `look`: called by the watch's thread. Not there where stderr is no terminal.
  void begin(look_at look);
  void end();
  /// In a forked process there is no such thread, and it may have held the mutex.
  void forget() { on_.store(false, std::memory_order_relaxed); }

  /// Relaxed, like all of `on_`: it changes while nothing runs.
  [[nodiscard]] bool is_on() const { return on_.load(std::memory_order_relaxed); }
  void gave() {
    if (is_on()) open_.fetch_add(1, std::memory_order_relaxed);
  }
  void joined(std::uint64_t children) {
    if (children == 0 || !is_on()) return;
    // Relaxed: the mutex orders what is drawn. Who holds it has either seen that nothing is open,
    // or will be followed by this.
    if (open_.fetch_sub(children, std::memory_order_relaxed) == children) hide();
  }

 private:
  void hide();
  void watch(const std::stop_token& stopping, const look_at& look);

  std::atomic<bool> on_{false};
  std::atomic<std::uint64_t> open_{0};  ///< children
  std::mutex mutex_;                    ///< of the line
  detail::progress_line line_;
  std::jthread thread_;
};

}  // namespace channels::host_code
