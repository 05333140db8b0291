#pragma once

#include "channels/gpu/port/host_part.hpp"

namespace channels::gpu::detail {

inline constexpr unsigned wave_width = 4;

class emulated_wave;
struct emulated_group;

/// What a lane knows of itself.
struct emulated_lane {
  emulated_wave* wave = nullptr;
  unsigned group_number = 0;
  unsigned lane = 0;
  unsigned item = 0;
  unsigned groups = 0;
  emulated_group* group = nullptr;
  unsigned wave_number = 0;  ///< in the group
  unsigned gpu = 0;
};

/// The one that the calling thread runs.
CHANNELS_GPU_HOST emulated_lane& this_lane();

}  // namespace channels::gpu::detail
