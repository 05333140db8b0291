#pragma once

#include <atomic>   // atomic
#include <cstdint>  // uint32_t
#include <thread>   // thread

#include "runtime/threads/at_fork.hpp"

namespace channels::cilk {

/// The start of the vendor's library for the program's device, which takes some tenths of a second:
/// in a thread of its own, beside the program. There is one. Any thread may call its functions.
class device_start {
 public:
  /// Begins, if it has not begun. If there is no thread for it, it is over when this returns.
  void begin();
  /// Begins if need be, and returns when it is over.
  void finish();
  /// Whether the device can run a call at once. False if there is none, and in a process that was
  /// forked after the start, which cannot use the device.
  [[nodiscard]] bool is_over() const;
  /// Whether the start is over, and there is no device that this process can use.
  [[nodiscard]] bool has_failed() const;

 private:
  enum class state : std::uint8_t { before, ready, failed };

  /// Whether this process is the one in which it began.
  [[nodiscard]] bool is_of_this_process() const;

  std::atomic<bool> begun_{false};
  std::atomic<state> state_{state::before};
  std::atomic<std::uint32_t> generation_{detail::fork_generation()};  ///< when it began
  std::thread thread_;  ///< joined when the process ends
};

[[nodiscard]] device_start& program_device_start();

}  // namespace channels::cilk
