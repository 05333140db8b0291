#pragma once

#include <algorithm>  // min
#include <chrono>     // steady_clock

namespace channels::detail {

/// Time in which this process could run, for watchdogs: one that is stopped (SIGSTOP, a debugger)
/// is not one in which nothing goes on. Whoever waits looks again and again; of the time between
/// two looks `longest_look` counts at most.
class running_time {
 public:
  using clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds longest_look{200};

  void restart(clock::time_point now = clock::now()) {
    passed_ = {};
    last_ = now;
  }
  /// What has passed since `restart`.
  clock::duration look(clock::time_point now = clock::now()) {
    passed_ += std::min<clock::duration>(now - last_, longest_look);
    last_ = now;
    return passed_;
  }

 private:
  clock::duration passed_{};
  clock::time_point last_ = clock::now();
};

}  // namespace channels::detail
