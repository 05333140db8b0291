#pragma once

#include <algorithm>           // min
#include <chrono>              // steady_clock
#include <condition_variable>  // condition_variable
#include <mutex>               // unique_lock

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

/// Waits on `changed` until `done()`, for `longest` of such time. Returns `done()`.
template <class Done>
bool wait_running(std::condition_variable& changed, std::unique_lock<std::mutex>& lock,
                  std::chrono::nanoseconds longest, Done done) {
  constexpr std::chrono::nanoseconds between_looks = running_time::longest_look / 4;
  running_time waited;
  for (auto passed = waited.look(); passed < longest; passed = waited.look()) {
    if (changed.wait_for(lock, std::min<std::chrono::nanoseconds>(between_looks, longest - passed),
                         done))
      return true;
  }
  return done();
}

}  // namespace channels::detail
