#pragma once

#include "channels/gpu/port/device_code.hpp"

/// The functions of channels/group.h on a GPU: all lanes of a wavefront run a group leaf together.
#define CHANNELS_GPU_PROGRAM

// A GPU's compiler compiles this for the host as well, which never runs it.
#if defined(CHANNELS_GPU_EMULATED) || defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
static CHANNELS_DEVICE inline unsigned channels_lane() {
  return channels::gpu::detail::lane_index();
}
static CHANNELS_DEVICE inline unsigned channels_lanes() {
  return channels::gpu::detail::wave_width;
}
static CHANNELS_DEVICE inline void channels_sync_lanes() { channels::gpu::detail::fence_in_wave(); }
template <class T>
CHANNELS_DEVICE inline T channels_of_lane(T value, unsigned lane) {
  return channels::gpu::detail::of_lane(value, lane);
}
#else
static CHANNELS_DEVICE inline unsigned channels_lane() { return 0; }
static CHANNELS_DEVICE inline unsigned channels_lanes() { return 1; }
static CHANNELS_DEVICE inline void channels_sync_lanes() {}
template <class T>
CHANNELS_DEVICE inline T channels_of_lane(T value, unsigned /*lane*/) {
  return value;
}
#endif
