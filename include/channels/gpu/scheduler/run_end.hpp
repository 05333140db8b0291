#pragma once

#include "channels/gpu/scheduler/lane_state.hpp"
#include "channels/gpu/tuning.hpp"

namespace channels::gpu::detail {

/// How wavefronts learn that a run is over: it has ended, the host stops it, or a lane has failed.
/// All lanes of the wavefront call these functions together.
template <class Set>
class run_end {
 public:
  CHANNELS_GPU_INLINE explicit run_end(lane_state<Set>& lane) : lane_(lane) {}

  /// Whether the run was stopped, or a lane of this wavefront has failed; then it tells the other
  /// wavefronts. `looks`: how often this wavefront has looked, which decides whether it reads the
  /// host's word now.
  [[nodiscard]] CHANNELS_GPU_INLINE bool was_stopped(std::uint32_t looks) {
    if (lane_.wave < run_tuning::waves_that_read_stop &&
        looks % run_tuning::looks_between_stop_reads == 0 && lane_index() == 0 &&
        peek(&lane_.run.host->stop) != 0) {
      lane_.fail(failure::stopped, 0);
    }
    if (ballot(lane_.failed) == 0) return false;
    tell_all();
    return true;
  }

  /// Writes to all mailboxes that the run is over. Orders no memory.
  CHANNELS_GPU_INLINE void tell_all() const {
    for (std::uint32_t i = lane_index(); i < lane_.run.waves; i += wave_width) {
      // Relaxed: only the host reads what the wavefronts wrote, when the kernel has ended.
      store<order::relaxed>(&lane_.run.mailboxes[i].message, run_is_over);
    }
  }

 private:
  lane_state<Set>& lane_;
};

}  // namespace channels::gpu::detail
