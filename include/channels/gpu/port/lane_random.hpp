#pragma once

#include "channels/gpu/port/device_code.hpp"

namespace channels::gpu::detail {

/// A lane's random numbers, which decide whether room is denied although there is some
/// (`settings::force_yield`): a mixed linear congruential generator.
class lane_random {
 public:
  /// `number`: the lane's number among all lanes.
  CHANNELS_GPU_INLINE lane_random(std::uint32_t seed, std::uint32_t number)
      : state_(seed + number * 2654435769U) {}

  /// True with a probability of `share` / 2^32. A share of 0 draws no number.
  CHANNELS_GPU_INLINE bool hits(std::uint32_t share) {
    if (share == 0) return false;
    state_ = state_ * 1664525U + 1013904223U;
    return (state_ ^ state_ >> 16U) * 2654435769U < share;
  }

 private:
  std::uint32_t state_;
};

}  // namespace channels::gpu::detail
