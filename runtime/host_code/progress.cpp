#include "runtime/host_code/progress.hpp"

#include <unistd.h>  // isatty

#include <chrono>              // milliseconds
#include <condition_variable>  // condition_variable_any
#include <utility>             // move

namespace channels::host_code {

void code_watch::begin(look_at look) {
  if (isatty(STDERR_FILENO) != 1) return;
  open_.store(0, std::memory_order_relaxed);
  on_.store(true, std::memory_order_relaxed);
  thread_ = std::jthread(
      [this, look = std::move(look)](const std::stop_token& stopping) { watch(stopping, look); });
}

void code_watch::end() {
  if (!on_.exchange(false, std::memory_order_relaxed)) return;
  thread_ = {};
  line_.end();
}

void code_watch::hide() {
  const std::lock_guard lock(mutex_);
  line_.hide();
}

void code_watch::watch(const std::stop_token& stopping, const look_at& look) {
  constexpr std::chrono::milliseconds between_looks{50};
  std::condition_variable_any nothing;
  std::unique_lock lock(mutex_);
  line_.begin("host code", 0, true);
  while (!stopping.stop_requested()) {
    // Relaxed: see `joined`.
    if (open_.load(std::memory_order_relaxed) != 0) line_.show(look());
    nothing.wait_for(lock, stopping, between_looks, [] { return false; });
  }
}

}  // namespace channels::host_code
