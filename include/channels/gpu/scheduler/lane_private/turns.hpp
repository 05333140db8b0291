#pragma once

#include "channels/gpu/scheduler/idle_lanes.hpp"
#include "channels/gpu/scheduler/joins.hpp"
#include "channels/gpu/scheduler/lane_private/lane.hpp"
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
      : base(work.lane.ready), lane_(work.lane), joins_(joined), stack_(work.stack), work_(work) {}

  using base::busy;
  using base::taken;

  [[nodiscard]] CHANNELS_GPU_INLINE bool has_work() const {
    return idle_count_ != wave_width || ready_.size() != 0 || joins_.resumable() != 0 ||
           joins_.ended() != 0;
  }

  /// Takes a turn. True if the root has ended.
  CHANNELS_GPU_INLINE bool take() {
    lane_.begin_turn();
    begin_idle_lanes();
    // While few lanes work, a turn is short, so that idle ones soon get tasks.
    const unsigned working = count(ballot(!work_.is_idle()));
    const unsigned steps = working == wave_width && !hurries_ ? turn_tuning::steps
                           : 2 * working > wave_width         ? turn_tuning::hurried_steps
                                                              : turn_tuning::shortest_steps;
    for (unsigned i = 0; i < steps; ++i) {
      const bool works = !work_.is_idle() && !work_.has_ended();
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
    const bool root_ended = joins_.join(idle_count_ < wave_width / 4);
    if (!root_ended && idle_count_ > ready_.size() + joins_.resumable()) share();
    return root_ended;
  }

  /// Moves tasks to the wavefront's stack, to be given: from the lanes with the most waiting
  /// children, because these have the largest subtrees.
  CHANNELS_GPU_INLINE void share() {
    if (ready_.size() >= wave_width) return;
    const std::uint32_t waiting = work_.is_idle() ? 0 : work_.waiting;
    const std::uint32_t most = most_of_wave(waiting);
    detach(waiting != 0 && waiting + 1 >= most && work_.can_detach());
  }

 private:
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
    const bool works = !work_.is_idle() && stack_.has_room();
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
    for (;;) {
      const bool full = !work_.is_idle() && !stack_.has_room();
      if (ballot(full) == 0) return;
      if (!detach(full)) return;
    }
  }

  /// Detaches the lowest frame of each lane that wants it: the frame moves to the device's memory,
  /// and its waiting children become ready tasks. False if there is no memory.
  CHANNELS_GPU_INLINE bool detach(bool wants) {
    const lane_mask who = ballot(wants);
    if (who == 0) return true;
    const bool has_room =
        ready_.provide(count(who) * Set::most_spawns) >= count(who) * Set::most_spawns;
    if (!has_room || !lane_.frames.provide()) {
      if (wants) {
        lane_.fail(has_room ? failure::memory : failure::ready,
                   stack_task() | work_.level << task_bits);
      }
      return false;
    }
    const frame_index place = lane_.frames.take(wants);
    if (wants) work_.detach(place);
    ready_.finish_pushes();
    return true;
  }
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t stack_task() const {
    return work_.next_task != no_task ? work_.next_task : stack_.top_head().task();
  }

  lane_state<Set>& lane_;
  joins<Set>& joins_;
  lane_private_stack<Set>& stack_;
  lane_private_work<Set>& work_;
};

}  // namespace channels::gpu::detail
