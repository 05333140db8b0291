#pragma once

#include "channels/gpu/scheduler/lane_state.hpp"
#include "channels/gpu/tuning.hpp"

/// How wavefronts tell the host their progress while a run goes on. It shows it if it is to, and
/// stops a run without any.
namespace channels::gpu::detail {

/// What one wavefront has done in this run, in pinned memory of the host. Only that wavefront
/// writes to it, so no wavefront waits for another.
struct alignas(32) wave_progress {
  std::uint64_t tasks;
  std::uint64_t yields;
  std::uint32_t works;  ///< not 0: it has work
  std::uint32_t units;  ///< of the pool, taken from the arena that has the wavefront's number
};

template <class T>
CHANNELS_GPU_INLINE void tell(T* word, std::type_identity_t<T> value) {
  // Relaxed: the host reads each number by itself, and it may be a moment old.
  channels::detail::atomic_store<order::relaxed>(word, value);
}

/// Writes the wavefront's progress for the host. All lanes of the wavefront call it together.
/// Orders no memory.
template <class Set>
CHANNELS_GPU_INLINE void tell_progress(const lane_state<Set>& lane, bool works) {
  const std::uint64_t tasks = sum_of_wave(lane.tasks);
  const std::uint64_t yields = sum_of_wave(lane.yields);
  if (lane_index() != 0) return;
  wave_progress& mine = lane.run.progress[lane.wave];
  tell(&mine.tasks, tasks);
  tell(&mine.yields, yields);
  tell(&mine.works, works ? 1U : 0U);
  if (lane.wave < lane.run.arena_count) {
    tell(&mine.units, load<order::relaxed>(&lane.run.arenas[lane.wave].taken));
  }
}

/// While a run goes on, after look number `looks`: tells the progress if it is shown, at the first
/// look and then every so many; else, much less often and only how many tasks there were, so that
/// short runs write nothing. All lanes of the wavefront call it together.
template <class Set>
CHANNELS_GPU_INLINE void tell_progress_at_times(const lane_state<Set>& lane, std::uint32_t looks,
                                                bool works) {
  if (lane.run.shows_progress) {
    if (looks % run_tuning::looks_between_progress == 1) tell_progress(lane, works);
  } else if (works && looks % run_tuning::looks_between_signs == 0) {
    const std::uint64_t tasks = sum_of_wave(lane.tasks);
    if (lane_index() == 0) tell(&lane.run.progress[lane.wave].tasks, tasks);
  }
}

}  // namespace channels::gpu::detail
