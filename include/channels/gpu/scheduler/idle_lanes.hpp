#pragma once

#include "channels/gpu/scheduler/ready_stack.hpp"
#include "channels/gpu/tuning.hpp"

namespace channels::gpu::detail {

/// How a wavefront whose lanes have work of their own each, and ready tasks only for those that
/// have none, stands to others (gifts.hpp): by how many lanes are idle.
template <class Set>
class idle_lanes {
 public:
  std::uint32_t taken = 0;  ///< steps
  std::uint32_t busy = 0;   ///< those in which this lane had work

  /// How many ready tasks it keeps for itself, and whether it wants more.
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t keeps() const { return idle_count_; }
  [[nodiscard]] CHANNELS_GPU_INLINE bool wants() const {
    return ready_.size() == 0 && idle_count_ >= wave_width / 2;
  }
  [[nodiscard]] CHANNELS_GPU_INLINE bool may_give() const { return idle_count_ != wave_width; }
  /// While others are hungry it looks at them more often.
  CHANNELS_GPU_INLINE void hurry(bool others_are_hungry) { hurries_ = others_are_hungry; }

 protected:
  CHANNELS_GPU_INLINE explicit idle_lanes(ready_stack<Set>& ready) : ready_(ready) {}

  ready_stack<Set>& ready_;
  std::uint32_t idle_count_ = wave_width;
  bool hurries_ = true;
};

}  // namespace channels::gpu::detail
