#pragma once

#include "channels/gpu/scheduler/lane_state.hpp"
#include "channels/gpu/tuning.hpp"

namespace channels::gpu::detail {

/// How wavefronts learn that a run is over before its end: the host wants that, or a lane has
/// failed. All lanes call its functions together.
template <class Set>
class run_end {
 public:
  CHANNELS_GPU_INLINE explicit run_end(lane_state<Set>& lane) : lane_(lane) {}

  /// Of a wavefront that has looked so often. True if it is over; then the others know, too.
  [[nodiscard]] CHANNELS_GPU_INLINE bool is_early(std::uint32_t looks) {
    if (lane_.wave < run_tuning::waves_that_read_stop &&
        looks % run_tuning::looks_between_stop_reads == 0 && lane_index() == 0 &&
        peek(&lane_.run.host->stop) != 0) {
      lane_.fail(failure::stopped, 0);
    }
    if (ballot(lane_.failed) == 0) return false;
    tell();
    return true;
  }

  /// Sends all wavefronts home.
  CHANNELS_GPU_INLINE void tell() const {
    for (std::uint32_t i = lane_index(); i < lane_.run.waves; i += wave_width) {
      // Relaxed: nobody reads what the others wrote, but the host, when the kernel has ended.
      store<order::relaxed>(&lane_.run.mailboxes[i].letter, run_is_over);
    }
  }

 private:
  lane_state<Set>& lane_;
};

}  // namespace channels::gpu::detail
