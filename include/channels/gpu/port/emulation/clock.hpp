#pragma once

#include <chrono>   // nanoseconds
#include <cstdint>  // fixed-width integers
#include <thread>   // yield, sleep_for

#include "channels/gpu/port/emulation/wavefront.hpp"

/// What port/clock.hpp has for a GPU, for the CPU.
namespace channels::gpu::detail {

inline std::uint64_t clock_ns() {
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                        std::chrono::steady_clock::now().time_since_epoch())
                                        .count());
}

inline void nap() {
  if (this_lane().wave->look_away()) std::this_thread::yield();
}
/// Longer than on a GPU: there are more wavefronts than cores, and those at work need them.
inline void relax() {
  if (this_lane().wave->look_away()) std::this_thread::sleep_for(std::chrono::microseconds(50));
}
inline void stumble() {
  const emulated_lane* const lane = running_lane.load(std::memory_order_relaxed);
  if (lane != nullptr && lane->wave != nullptr && lane->wave->stumble()) std::this_thread::yield();
}

}  // namespace channels::gpu::detail
