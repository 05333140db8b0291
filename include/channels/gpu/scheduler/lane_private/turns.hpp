#pragma once

#include "channels/gpu/scheduler/idle_lanes.hpp"
#include "channels/gpu/scheduler/joins.hpp"
#include "channels/gpu/scheduler/lane_private/lane.hpp"
#include "channels/gpu/scheduler/reserve.hpp"
#include "channels/gpu/tuning.hpp"

namespace channels::gpu::detail {

/// A wavefront at work on lane-private stacks, for tasks whose frames no other lane reads: each
/// lane runs a subtree of its own, depth first, on a stack in the memory of the work-group. Only
/// what does not fit there, or is given away, becomes a frame in the device's memory and ready
/// tasks: from the bottom of the stack, where the largest subtrees are. All lanes of the wavefront
/// call these functions together, unless they say otherwise.
template <class Set>
class lane_private_turns : public idle_lanes<Set> {
  using base = idle_lanes<Set>;
  using base::hurries_;
  using base::idle_count_;
  using base::ready_;

 public:
  CHANNELS_GPU_INLINE lane_private_turns(lane_private_work<Set>& work, joins<Set>& joined)
      : base(work.lane.ready),
        lane_(work.lane),
        joins_(joined),
        reserve_(work.lane, joined),
        stack_(work.stack),
        work_(work) {}

  using base::busy;
  using base::taken;

  [[nodiscard]] CHANNELS_GPU_INLINE bool has_work() const {
    return idle_count_ != wave_width || ready_.size() != 0 || joins_.resumable() != 0 ||
           joins_.ended() != 0 || lane_.alone_with_reserve;
  }

  /// Takes a turn. True if the root has ended.
  CHANNELS_GPU_INLINE bool take() {
    lane_.begin_turn();
    if (lane_.alone_with_reserve) {
      begin_alone();
    } else {
      begin_idle_lanes();
    }
    // While few lanes work, a turn is short, so that idle ones soon get tasks.
    const unsigned working = count(ballot(!work_.is_idle() && may_work()));
    const unsigned steps = working == wave_width && !hurries_ ? turn_tuning::steps
                           : 2 * working > wave_width         ? turn_tuning::hurried_steps
                                                              : turn_tuning::shortest_steps;
    for (unsigned i = 0; i < steps; ++i) {
      const bool works = !work_.is_idle() && !work_.has_ended() && may_work();
      if (i % turn_tuning::steps_between_counts == 0 && i != 0) {
        const unsigned still = count(ballot(works && stack_.has_room()));
        if (2 * still < working) break;
      }
      ++taken;
      if (works) ++busy;
      step();
    }
    if (!work_.is_idle() && work_.has_ended()) {
      lane_.ended_below = work_.base_parent;
      lane_.parent_joins = lane_.joins_of(work_.base_parent);
      work_.base_parent = no_frame;
    }
    make_room();
    const lane_mask idle = ballot(work_.is_idle());
    idle_count_ = count(idle);
    const bool root_ended = joins_.join(idle_count_ < wave_width / 4 && !lane_.alone_with_reserve);
    if (root_ended || lane_.alone_with_reserve) return root_ended;
    if (idle_count_ > ready_.size() + joins_.resumable()) share();
    if (is_out_of_memory_) wait_for_memory();
    return false;
  }

  /// Moves tasks to the wavefront's stack, to be given: from the lanes with the most waiting
  /// children, because these have the largest subtrees.
  CHANNELS_GPU_INLINE void share() {
    if (ready_.size() >= wave_width || is_out_of_memory_) return;
    const std::uint32_t waiting = work_.is_idle() ? 0 : work_.waiting;
    const std::uint32_t most = most_of_wave(waiting);
    (void)detach(waiting != 0 && waiting + 1 >= most && work_.can_detach());
  }

 private:
  /// Whether this lane works in this turn: all do, unless one is alone with the reserve.
  [[nodiscard]] CHANNELS_GPU_INLINE bool may_work() const {
    return !lane_.alone_with_reserve || lane_index() == alone_;
  }

  /// With the reserve: the lane goes on with the frame whose children have ended, or with the
  /// newest task. If there is none, all that was on its stack has ended, and the reserve is given
  /// back.
  CHANNELS_GPU_INLINE void begin_alone() {
    const bool is_free = lane_index() == alone_ && work_.is_idle();
    if (ballot(is_free) == 0) return;
    if (reserve_.has_frames() && reserve_.has_resumable()) {
      const frame_index frame = joins_.take(is_free, 1);
      if (is_free) work_.begin(frame);
      const frame_index done = of_lane(frame, alone_);
      if (lane_index() == 0) reserve_.free_frame(done);
      fence_in_wave();
    } else if (reserve_.has_ready()) {
      ready_task<Set> t;
      ready_.pop(1, is_free ? 0 : wave_width, t);
      if (is_free) work_.begin(t);
      converge();
    } else if (joins_.ended() == 0) {
      reserve_.give_back();
    }
  }

  /// Stacks are full, and frames of them cannot be detached. If that stops all lanes, one goes on
  /// with the reserve, or the wavefront waits for the one that has it.
  CHANNELS_GPU_INLINE void wait_for_memory() {
    const bool is_full = !work_.is_idle() && !stack_.has_room();
    const lane_mask full = ballot(is_full);
    const bool others_work = ballot(!work_.is_idle() && stack_.has_room()) != 0 ||
                             (idle_count_ != 0 && ready_.size() + joins_.resumable() != 0);
    if (full == 0 || others_work || joins_.ended() != 0) return;
    if (reserve_.take_for_stack()) {
      alone_ = first(full);
    } else {
      nap();
    }
  }

  CHANNELS_GPU_INLINE void begin_idle_lanes() {
    if (idle_count_ == 0) return;
    const bool is_idle = work_.is_idle();
    const lane_mask idle = ballot(is_idle);
    const std::uint32_t to_resume = min(joins_.resumable(), idle_count_);
    if (to_resume != 0) {
      const frame_index frame = joins_.take(is_idle, to_resume);
      if (frame != no_frame) {
        work_.begin(frame);
        lane_.free_frame = frame;
      }
    }
    const std::uint32_t to_enter = min(ready_.size(), idle_count_ - to_resume);
    if (to_enter != 0) {
      ready_task<Set> t;
      const std::uint32_t rank = is_idle ? rank_in(idle) - to_resume : wave_width;
      ready_.pop(to_enter, rank, t);
      if (rank < to_enter) work_.begin(t);
    }
    converge();
  }

  /// Each lane enters the child on top of its stack, or, if the children of the frame there have
  /// ended, resumes the frame.
  CHANNELS_GPU_INLINE void step() {
    const bool works = !work_.is_idle() && stack_.has_room() && may_work();
    if (works && work_.next_task == no_task && !stack_.is_empty()) {
      const record_head h = stack_.top_head();
      if (!h.is_frame()) work_.pop_next(h);
    }
    converge();
    if (works && work_.next_task != no_task && !lane_.denied()) {
      Set::with(work_.next_task, [&]<class Task>(Task*) {
        typename Task::arguments arguments;
        memcpy(&arguments, work_.next_arguments, sizeof arguments);
        work_.next_task = no_task;
        lane_private_lane<Set, Task>(work_, work_.next_to).enter(arguments);
      });
    }
    converge();
    if (works && work_.next_task == no_task && !stack_.is_empty()) {
      const record_head h = stack_.top_head();
      if (h.is_frame()) {
        Set::with(h.task(),
                  [&]<class Task>(Task*) { lane_private_lane<Set, Task>(work_, h).resume(); });
      }
    }
    converge();
  }

  /// Detaches frames of lanes whose stack is full, until all have room or there is no memory.
  CHANNELS_GPU_INLINE void make_room() {
    is_out_of_memory_ = false;
    for (;;) {
      const bool full = !work_.is_idle() && !stack_.has_room() && may_work();
      const lane_mask who = ballot(full);
      if (who == 0) return;
      is_out_of_memory_ = lane_.alone_with_reserve ? !detach_alone() : detach(full) < count(who);
      if (is_out_of_memory_) return;
    }
  }

  /// Detaches the lowest frame of each lane that wants it: the frame moves to the device's memory,
  /// and its waiting children become ready tasks. Returns for how many lanes there was memory.
  CHANNELS_GPU_INLINE std::uint32_t detach(bool wants) {
    const lane_mask who = ballot(wants);
    const std::uint32_t wanted = count(who);
    if (wanted == 0) return 0;
    constexpr std::uint32_t each = Set::most_spawns == 0 ? 1 : Set::most_spawns;
    const std::uint32_t room = ready_.provide(wanted * each) / each;
    const std::uint32_t frames = lane_.frames.provide() ? wanted : lane_.frames.available();
    const std::uint32_t can = min(wanted, min(room, frames));
    if (can == 0) return 0;
    const bool does = wants && rank_in(who) < can;
    const frame_index place = lane_.frames.take(does);
    if (does) work_.detach(place);
    ready_.finish_pushes();
    return can;
  }
  /// As `detach`, for the lane that is alone with the reserve. False if the run has failed.
  CHANNELS_GPU_INLINE bool detach_alone() {
    const bool mine = lane_index() == alone_;
    const std::uint32_t what = mine ? stack_task() | work_.level << task_bits : 0;
    if (!reserve_.has_room_for(Set::most_spawns)) {
      if (mine) lane_.fail(failure::ready, what, ready_stack<Set>::page_units);
      return false;
    }
    const std::uint32_t its = of_lane(what, alone_);
    const frame_index its_place = lane_index() == 0 ? reserve_.take_frame(its) : no_frame;
    const frame_index place = of_lane(its_place, 0);
    if (place == no_frame) return false;
    if (mine) work_.detach(place);
    ready_.finish_pushes();
    return true;
  }
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t stack_task() const {
    return work_.next_task != no_task ? work_.next_task : stack_.top_head().task();
  }

  lane_state<Set>& lane_;
  joins<Set>& joins_;
  reserve<Set> reserve_;
  unsigned alone_ = 0;             ///< the lane that works, if one is alone with the reserve
  bool is_out_of_memory_ = false;  ///< a stack is full, and nothing of it can be detached
  lane_private_stack<Set>& stack_;
  lane_private_work<Set>& work_;
};

}  // namespace channels::gpu::detail
