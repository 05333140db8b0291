#pragma once

#include <chrono>              // steady_clock
#include <condition_variable>  // condition_variable
#include <cstddef>             // size_t
#include <cstdint>             // uint32_t
#include <deque>               // deque
#include <functional>          // function
#include <mutex>               // mutex

#include "runtime/threads/at_fork.hpp"

namespace channels::detail {

/// Number of cores that this process may use.
[[nodiscard]] std::uint32_t number_of_cores();

/// The runtime's threads: they run batches, and take children of host code. There is one crew for
/// the process, so that several runtimes share its threads. Nothing ends a thread, so the process
/// may end from any of them, and with any of them in the middle of something. Any thread may call
/// it.
///
/// Not oneTBB's threads: where one of these cannot be made oneTBB ends the process, and none is
/// left after a fork or while `exit` runs on one.
class crew {
 public:
  static crew& instance();

  /// Has a thread call `work`, which throws nothing: an idle one, or a new one. Returns false, and
  /// does nothing, if there is neither: the system may have no thread or no memory for it.
  [[nodiscard]] bool call(std::function<void()> work);
  /// Number of threads.
  [[nodiscard]] std::uint32_t size() const;

 private:
  crew();
  bool make_thread();
  void run();
  void forget_threads();
  bool may_make_ = true;  ///< threads

  mutable std::mutex mutex_;
  std::condition_variable called_;
  std::deque<std::function<void()>> calls_;  ///< not begun
  std::size_t idle_ = 0;                     ///< threads that wait for calls
  std::uint32_t size_ = 0;
  std::size_t stack_bytes_;
  std::chrono::steady_clock::time_point next_try_;  ///< of making a thread, after a failure
  at_fork forking_;
};

}  // namespace channels::detail
