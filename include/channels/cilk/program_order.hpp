#pragma once

#include <atomic>   // atomic
#include <cstdint>  // uint8_t

namespace channels::cilk {

/// How calls of functions with both forms run: decided by the settings when the program starts, and
/// unknown before. On another device than the host they run as tasks in any case.
enum class known_order : std::uint8_t { unknown, depth_first, tasks };
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): one for each program
extern std::atomic<known_order> program_order __asm__("channels_cilk_order");

/// A static object made after one that calls of tasks use, so destroyed before it: what destructors
/// and handlers of `atexit` spawn from then on runs depth-first on the host.
struct tasks_end {
  tasks_end() = default;
  tasks_end(const tasks_end&) = delete;
  tasks_end& operator=(const tasks_end&) = delete;
  // Relaxed: the thread that ends the process runs the handlers, too.
  ~tasks_end() { program_order.store(known_order::depth_first, std::memory_order_relaxed); }
};

}  // namespace channels::cilk
