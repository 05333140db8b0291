#pragma once

#include <atomic>  // atomic
#include <chrono>  // milliseconds
#include <thread>  // sleep_for

#include "channels/gpu/port/emulation/gpus.hpp"
#include "channels/gpu/port/emulation/wavefront.hpp"

/// What port/trap.hpp has for a GPU, for the CPU.
namespace channels::gpu::detail {

/// A lane of this GPU has trapped. The devices are the process's own.
inline std::atomic<bool> has_trapped[emulated_gpus] = {};

/// Whether lanes of some GPU will never end: nothing waits for them, or frees what they may use.
inline bool has_trapped_anywhere() {
  for (const std::atomic<bool>& one : has_trapped) {
    if (one.load(std::memory_order_acquire)) return true;
  }
  return false;
}

/// The host learns of it by the state of the stream (host_api.hpp) and ends the program. Until then
/// the lane does nothing.
[[noreturn]] inline void trap() {
  // Release: what the lane has told the host.
  has_trapped[this_lane().gpu].store(true, std::memory_order_release);
  for (;;) {
    if (this_lane().wave->look_away()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace channels::gpu::detail
