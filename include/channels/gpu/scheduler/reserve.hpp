#pragma once

#include "channels/gpu/scheduler/joins.hpp"
#include "channels/gpu/tuning.hpp"

namespace channels::gpu::detail {

/// The reserve of the pool, by which a run goes on when memory is out. A wavefront that can do
/// nothing for lack of memory takes it, if no other has it. Its first lane then runs one task, or
/// one frame whose children have ended, with all that this spawns, alone and depth first: the
/// newest first, a frame before the ready tasks below it, and a loop one child at a time. So the
/// frames of one chain of tasks are live, with what they have allocated, and the tasks beside the
/// chain are ready. Frames end in the opposite order to that in which they begin, so the front of
/// the reserve is a stack of them. Pages for ready tasks are a stack at its end. Nothing is given
/// away, so all of it has ended when the reserve is given back. Where lanes have stacks of their
/// own, a lane whose stack is full runs what is on it to its end in the same way.
///
/// Why a run ends: children never wait for parents. If all wavefronts that have work lack memory,
/// each has a ready task, or a frame that waits for no child: a task that yields for lack of memory
/// waits for the children that it has (pooled_lane::give_way). One of them gets the reserve and
/// ends a task. Whatever that waited for goes on then.
///
/// All lanes of the wavefront call these functions together, if nothing else is said.
template <class Set>
class reserve {
 public:
  CHANNELS_GPU_INLINE reserve(lane_state<Set>& lane, joins<Set>& joined)
      : lane_(lane), joins_(joined), state_(lane.run.control->reserve) {}

  /// Takes the reserve, unless another wavefront has it or there is nothing to run with it. The
  /// caller has told all frames whose children have ended. False if it has not taken it.
  CHANNELS_GPU_INLINE bool take() {
    if (!is_mine()) return false;
    const std::uint32_t from_frame = find_frame();
    if (from_frame == 0 && lane_.ready.size() == 0) {
      free();
      return false;
    }
    begin(from_frame, lane_.ready.size() - (1 - from_frame), joins_.resumable() - from_frame);
    return true;
  }
  /// For lanes that have stacks of their own: takes the reserve, for what one of them has on its
  /// stack.
  CHANNELS_GPU_INLINE bool take_for_stack() {
    if (!is_mine()) return false;
    begin(0, lane_.ready.size(), joins_.resumable());
    return true;
  }

  /// With the reserve: what the first lane does next, and room for it. Gives the reserve back if
  /// all has ended. `wanted`: room for ready tasks that the lane lacked in the last turn.
  /// `waits_for`: a group leaf is next.
  CHANNELS_GPU_INLINE void choose(std::uint32_t& to_resume, std::uint32_t& to_enter,
                                  std::uint32_t room_for_each, std::uint32_t wanted,
                                  bool has_leaf) {
    if (has_frames() && has_resumable()) {
      to_resume = 1;
    } else if (!has_leaf && has_ready()) {
      to_enter = 1;
    } else {
      if (!has_leaf && joins_.ended() == 0) give_back();
      return;
    }
    const std::uint32_t room = lane_.ready.provide_from_reserve(room_for_each + wanted, state_);
    if (room >= room_for_each + wanted) return;
    if (lane_index() == 0) {
      ready_task<Set> t;
      t.what = lane_.wanted_by;
      if (to_enter != 0) lane_.ready.newest(t);
      lane_.fail(failure::ready, t.what, ready_stack<Set>::page_units);
    }
    to_resume = to_enter = 0;
  }

  // With the reserve: whether frames in it are live, and whether there is more to resume or to
  // enter than when it was taken. Only the first lane knows.
  [[nodiscard]] CHANNELS_GPU_INLINE bool has_frames() const {
    return of_lane(lane_index() == 0 ? value_of(state_.live) : 0U, 0) != 0;
  }
  [[nodiscard]] CHANNELS_GPU_INLINE bool has_resumable() const {
    return joins_.resumable() > of_lane(lane_index() == 0 ? value_of(state_.resumable) : 0U, 0);
  }
  [[nodiscard]] CHANNELS_GPU_INLINE bool has_ready() const {
    return lane_.ready.size() > of_lane(lane_index() == 0 ? value_of(state_.ready) : 0U, 0);
  }

  /// Room for `most` ready tasks.
  [[nodiscard]] CHANNELS_GPU_INLINE bool has_room_for(std::uint32_t most) {
    return lane_.ready.provide_from_reserve(most, state_) >= most;
  }

  /// The first lane calls it: a frame for the task that it enters, `what`. `no_frame` if there is
  /// no room, and then the run has failed.
  CHANNELS_GPU_INLINE frame_index take_frame(std::uint32_t what) {
    const std::uint32_t first = value_of(state_.low);
    if (first + frame_units<Set> > value_of(state_.high)) {
      lane_.fail(failure::memory, what, frame_units<Set>);
      return no_frame;
    }
    set(state_.low, first + frame_units<Set>);
    set(state_.live, value_of(state_.live) + 1);
    return lane_.run.first_of_reserve() + first;
  }

  /// After a turn with the reserve, before frames are freed.
  CHANNELS_GPU_INLINE void finish_turn() {
    if (lane_.free_frame == no_frame) return;
    if (lane_.free_frame < lane_.run.first_of_reserve() || is_host_frame(lane_.free_frame)) {
      set(state_.live, value_of(state_.live) - 1);  // it began before
      return;
    }
    free_frame(lane_.free_frame);
    lane_.free_frame = no_frame;
  }
  /// The first lane calls it: frees the newest frame.
  CHANNELS_GPU_INLINE void free_frame(frame_index frame) {
    set(state_.live, value_of(state_.live) - 1);
    set(state_.low, frame - lane_.run.first_of_reserve());
  }

  CHANNELS_GPU_INLINE void give_back() {
    lane_.ready.drop_pages_of_reserve();
    lane_.alone_with_reserve = false;
    free();
  }

 private:
  /// Takes the reserve, unless another wavefront has it.
  [[nodiscard]] CHANNELS_GPU_INLINE bool is_mine() {
    std::uint32_t took = 0;
    if (lane_index() == 0 && load<order::relaxed>(&state_.taken) == 0) {
      // Acquire: what the last wavefront that had it did there.
      took = compare_exchange<order::acquire>(&state_.taken, std::uint32_t{0}, 1U) ? 1 : 0;
    }
    if (of_lane(took, 0) == 0) return false;
    acquire_from_device();
    return true;
  }
  CHANNELS_GPU_INLINE void begin(std::uint32_t live, std::uint32_t ready, std::uint32_t resumable) {
    if (lane_index() == 0) {
      set(state_.uses, value_of(state_.uses) + 1);
      set(state_.low, 0);
      set(state_.high, lane_.run.reserve_units);
      set(state_.live, live);
      set(state_.ready, ready);
      set(state_.resumable, resumable);
    }
    fence_in_wave();
    lane_.alone_with_reserve = true;
  }

  /// Looks for a frame that waits for no child: then it is the last of those to be resumed, and
  /// this returns 1. Those that wait for children, and would have spawned more, are left to their
  /// children.
  CHANNELS_GPU_INLINE std::uint32_t find_frame() {
    while (joins_.resumable() != 0) {
      const frame_index frame = joins_.last_resumable();
      std::uint32_t waits = 0;
      if (lane_index() == 0) {
        frame_header& h = lane_.frames[frame];
        if ((h.point & keeps_going) != 0) {
          h.point &= ~keeps_going;
          // Release and acquire: whoever ends its last child goes on with it, or this lane does.
          waits = fetch_add<order::acq_rel>(&h.joins, ~std::uint32_t{0}) - 1;
          waits &= ~shared_frame;
        }
      }
      if (of_lane(waits, 0) == 0) return 1;
      joins_.drop_last_resumable();
    }
    return 0;
  }

  CHANNELS_GPU_INLINE void free() {
    fence_in_wave();
    release_to_device();
    // Release: what this wavefront did in the reserve.
    if (lane_index() == 0) store<order::release>(&state_.taken, 0);
  }

  lane_state<Set>& lane_;
  joins<Set>& joins_;
  reserve_state& state_;
};

}  // namespace channels::gpu::detail
