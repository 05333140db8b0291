#pragma once

#include <chrono>  // nanoseconds
#include <thread>  // yield, sleep_for

#include "channels/gpu/port/emulation/gpus.hpp"
#include "channels/gpu/port/emulation/lane_functions.hpp"
#include "channels/gpu/port/emulation/traps.hpp"
#include "channels/gpu/port/emulation/wavefront.hpp"

namespace channels::gpu::detail {

CHANNELS_GPU_HOST emulated_lane& this_lane() {
  return *running_lane.load(std::memory_order_relaxed);
}
CHANNELS_GPU_HOST std::uint64_t* memory_of_group() { return this_lane().group->memory.data(); }
CHANNELS_GPU_HOST std::uint64_t* values_of_wave() { return this_lane().wave->values; }
CHANNELS_GPU_HOST void meet_lanes() { this_lane().wave->meet(); }
CHANNELS_GPU_HOST void meet_waves() { this_lane().group->waves_are_there.arrive_and_wait(); }

CHANNELS_GPU_HOST std::uint64_t clock_ns() {
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                        std::chrono::steady_clock::now().time_since_epoch())
                                        .count());
}

CHANNELS_GPU_HOST void nap() {
  if (this_lane().wave->look_away()) std::this_thread::yield();
}
CHANNELS_GPU_HOST void relax() {
  if (this_lane().wave->look_away()) std::this_thread::sleep_for(std::chrono::microseconds(50));
}
CHANNELS_GPU_HOST void stumble() {
  const emulated_lane* const lane = running_lane.load(std::memory_order_relaxed);
  if (lane != nullptr && lane->wave != nullptr && lane->wave->stumble()) std::this_thread::yield();
}

[[noreturn]] CHANNELS_GPU_HOST void trap() {
  // Release: what the lane has told the host.
  has_trapped[this_lane().gpu].store(true, std::memory_order_release);
  for (;;) {
    if (this_lane().wave->look_away()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

CHANNELS_GPU_HOST void check_owner(const void* word) { emulated_memory::of_process().check(word); }

}  // namespace channels::gpu::detail
