#pragma once

#include "channels/gpu/port/lane_random.hpp"
#include "channels/gpu/scheduler/lane_heap.hpp"
#include "channels/gpu/scheduler/ready_stack.hpp"

namespace channels::gpu::detail {

/// What a lane keeps while its wavefront takes turns, whatever the kind of stacks.
template <class Set>
struct lane_state {
  const run_parameters<Set>& run;
  ready_stack<Set>& ready;
  frame_store<Set>& frames;
  lane_heap<Set>& heap;
  const std::uint32_t wave;  ///< this wavefront's number in the run

  /// Ready tasks for which room is kept: spawns that cannot be denied.
  std::uint32_t promised = 0;
  bool alone = false;  ///< no other lane runs a task in this turn
  /// The wavefront has the reserve (reserve.hpp), and only its first lane runs tasks.
  bool alone_with_reserve = false;
  bool pressed = false;  ///< the pool has less in this turn than the wavefront would use
  bool lacks = false;    ///< this lane has found no memory in this turn
  lane_random random;
  std::uint32_t tasks = 0;
  std::uint32_t resumed = 0;
  std::uint32_t yields = 0;
  bool failed = false;

  // What the lane's turn leaves for all lanes to do together (joins.hpp).
  frame_index free_frame;       ///< a frame that is not needed any more
  frame_index ended_below;      ///< the frame whose child has ended
  frame_index to_resume;        ///< the frame that goes on in a later turn
  std::uint32_t parent_joins;   ///< `joins` of `ended_below` when the turn began: is it shared?
  std::uint32_t wanted;         ///< ready tasks for which there was no room
  std::uint32_t wanted_by = 0;  ///< the task that wanted to spawn them

  CHANNELS_GPU_INLINE lane_state(const run_parameters<Set>& r, ready_stack<Set>& s,
                                 frame_store<Set>& f, lane_heap<Set>& h, std::uint32_t number)
      : run(r),
        ready(s),
        frames(f),
        heap(h),
        wave(number),
        random(r.seed, number * wave_width + lane_index()) {}
  lane_state(const lane_state&) = delete;
  lane_state& operator=(const lane_state&) = delete;

  // One lane calls each of these.

  CHANNELS_GPU_INLINE void begin_turn() {
    free_frame = no_frame;
    ended_below = no_frame;
    to_resume = no_frame;
    parent_joins = 0;
    wanted = 0;
    lacks = false;
  }

  /// Whether room is denied this time although there is some (`settings::force_yield`).
  CHANNELS_GPU_INLINE bool denied() { return random.hits(run.force_yield); }

  /// Fails the run. The first failure reaches the host. `what`: the task, and its level; `units`:
  /// of the pool, that it wanted.
  CHANNELS_GPU_INLINE void fail(failure why, std::uint32_t what, std::uint32_t units = 0) {
    failed = true;
    if (compare_exchange<order::relaxed>(&run.control->failed, std::uint32_t{0},
                                         static_cast<std::uint32_t>(why))) {
      run.host->failed = static_cast<std::uint32_t>(why);
      run.host->where = task_in(what);
      run.host->level = level_in(what);
      run.host->units = units;
    }
  }

  /// The joins of `frame`, with the flag that says whether it is shared. Relaxed: this wavefront
  /// set the flag, or it was set before this wavefront acquired the frame.
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t joins_of(frame_index frame) const {
    return load<order::relaxed>(&frames[frame].joins);
  }
  [[nodiscard]] CHANNELS_GPU_INLINE bool is_shared(frame_index frame) const {
    return (joins_of(frame) & shared_frame) != 0;
  }
  /// Marks `frame` and all frames above it as shared: from now on other wavefronts may end their
  /// children. Frames above a shared frame are marked already.
  CHANNELS_GPU_INLINE void share_frames_from(frame_index frame) const {
    // Relaxed: the message of the gift releases it.
    while (!is_shared(frame)) {
      frame_header& h = frames[frame];
      fetch_or<order::relaxed>(&h.joins, shared_frame);
      frame = h.parent;
    }
  }
};

}  // namespace channels::gpu::detail
