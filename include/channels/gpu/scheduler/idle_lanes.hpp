#pragma once

#include "channels/gpu/scheduler/ready_stack.hpp"
#include "channels/gpu/tuning.hpp"

namespace channels::gpu::detail {

/// When a wavefront gives and when it is hungry (gifts.hpp), for the kinds of stacks whose lanes
/// have work of their own: the number of idle lanes decides, for which alone it keeps ready tasks.
/// All lanes of the wavefront call these functions together.
template <class Set>
class idle_lanes {
 public:
  std::uint32_t taken = 0;  ///< steps
  std::uint32_t busy = 0;   ///< steps in which this lane had work

  /// Ready tasks that the wavefront keeps for itself.
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t keeps() const { return idle_count_; }
  /// Whether the wavefront is hungry.
  [[nodiscard]] CHANNELS_GPU_INLINE bool wants() const {
    return ready_.size() == 0 && idle_count_ >= wave_width / 2;
  }
  /// Whether it may have tasks to give.
  [[nodiscard]] CHANNELS_GPU_INLINE bool may_give() const { return idle_count_ != wave_width; }
  /// Whether it may ask for tasks: the window has room for them.
  [[nodiscard]] CHANNELS_GPU_INLINE bool may_receive() { return true; }
  /// While many others are hungry, turns are shorter, so that looks are more frequent.
  CHANNELS_GPU_INLINE void hurry(bool others_are_hungry) { hurries_ = others_are_hungry; }

 protected:
  CHANNELS_GPU_INLINE explicit idle_lanes(ready_stack<Set>& ready) : ready_(ready) {}

  ready_stack<Set>& ready_;
  std::uint32_t idle_count_ = wave_width;
  bool hurries_ = true;
};

}  // namespace channels::gpu::detail
