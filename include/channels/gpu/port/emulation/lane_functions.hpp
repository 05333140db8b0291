#pragma once

#include <cstdint>  // fixed-width integers

#include "channels/detail/atomic.hpp"
#include "channels/gpu/port/emulation/emulated_lane.hpp"
#include "channels/gpu/port/host_part.hpp"

/// What an emulated GPU has for the code of lanes.
namespace channels::gpu::detail {

/// The memory of the lane's group, and what the lanes of its wavefront tell each other.
CHANNELS_GPU_HOST std::uint64_t* memory_of_group();
CHANNELS_GPU_HOST std::uint64_t* values_of_wave();
/// Waits for all lanes of the wavefront, and for all wavefronts of the group.
CHANNELS_GPU_HOST void meet_lanes();
CHANNELS_GPU_HOST void meet_waves();

CHANNELS_GPU_HOST std::uint64_t clock_ns();
inline std::uint32_t clock_cycles() { return static_cast<std::uint32_t>(clock_ns()); }
CHANNELS_GPU_HOST void nap();
/// Longer than on a GPU: there are more wavefronts than cores, and those at work need them.
CHANNELS_GPU_HOST void relax();
CHANNELS_GPU_HOST void stumble();
/// The host learns of it by the state of the stream (host_api.hpp) and ends the program. Until then
/// the lane does nothing.
[[noreturn]] CHANNELS_GPU_HOST void trap();

/// Ends the program if the lane's GPU may not use atomics of its own scope on `word`.
CHANNELS_GPU_HOST void check_owner(const void* word);
template <channels::detail::scope S>
void check_scope(const void* word) {
  if constexpr (S != channels::detail::scope::system) check_owner(word);
}

}  // namespace channels::gpu::detail
