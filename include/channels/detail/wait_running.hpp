#pragma once

#include <algorithm>           // min
#include <chrono>              // nanoseconds
#include <condition_variable>  // condition_variable
#include <mutex>               // unique_lock

#include "channels/detail/running_time.hpp"

namespace channels::detail {

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
