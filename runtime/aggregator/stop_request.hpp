#pragma once

#include <mutex>     // mutex
#include <optional>  // optional
#include <string>    // string
#include <utility>   // move

namespace channels::detail {

/// That a run is to end, and why. Invariant: the reason of the first request stays. Any thread may
/// call all of it.
class stop_request {
 public:
  void ask(std::string why) {
    const std::lock_guard lock(mutex_);
    if (!reason_) reason_ = std::move(why);
  }
  [[nodiscard]] bool asked() const {
    const std::lock_guard lock(mutex_);
    return reason_.has_value();
  }
  /// The reason of the first request, if there was one.
  [[nodiscard]] std::optional<std::string> reason() const {
    const std::lock_guard lock(mutex_);
    return reason_;
  }

 private:
  mutable std::mutex mutex_;
  std::optional<std::string> reason_;
};

}  // namespace channels::detail
