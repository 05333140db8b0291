#pragma once

#include <cstdint>  // uint8_t

#include "channels/detail/atomic.hpp"

namespace channels::cilk {

/// How calls of functions with both forms run: decided by the settings when the program starts, and
/// unknown before. On another device than the host they run as tasks in any case.
enum class known_order : std::uint8_t { unknown, depth_first, tasks };

// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): one for each program
extern std::uint8_t word_of_order __asm__("channels_cilk_order");

/// Relaxed, both: only this value is read; locks of their own guard the settings. Every thread
/// computes the same value, and the thread that ends the process runs its handlers, too.
[[nodiscard]] inline known_order order_of_program() {
  using channels::detail::order;
  return static_cast<known_order>(channels::detail::atomic_load<order::relaxed>(&word_of_order));
}
inline void set_order_of_program(known_order to) {
  using channels::detail::order;
  channels::detail::atomic_store<order::relaxed>(&word_of_order, static_cast<std::uint8_t>(to));
}

/// A static object made after one that calls of tasks use, so destroyed before it: what destructors
/// and handlers of `atexit` spawn from then on runs depth-first on the host.
struct tasks_end {
  tasks_end() = default;
  tasks_end(const tasks_end&) = delete;
  tasks_end& operator=(const tasks_end&) = delete;
  ~tasks_end() { set_order_of_program(known_order::depth_first); }
};

}  // namespace channels::cilk
