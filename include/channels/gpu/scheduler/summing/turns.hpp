#pragma once

#include "channels/gpu/scheduler/idle_lanes.hpp"
#include "channels/gpu/scheduler/summing/lane.hpp"
#include "channels/gpu/scheduler/summing/run_sum.hpp"
#include "channels/gpu/tuning.hpp"

namespace channels::gpu::detail {

/// A wavefront at work on stacks of the summing kind: there are no frames, no task waits, and a
/// lane's work is its ring of ready tasks. A task that is given away has no tie to where it came
/// from, so wavefronts only have to agree on when none of them has work any more. All lanes of the
/// wavefront call these functions together, unless they say otherwise. `Several`: the run is on
/// several GPUs.
template <class Set, bool Several = false>
class summing_turns : public idle_lanes<Set> {
  using base = idle_lanes<Set>;
  using base::hurries_;
  using base::idle_count_;
  using base::ready_;

 public:
  /// Words of the work-group's memory for `width` lanes, besides the rings.
  static constexpr CHANNELS_DEVICE std::uint32_t words(unsigned width) { return width; }

  /// `memory`: `words` words of the work-group's memory.
  CHANNELS_GPU_INLINE summing_turns(summing_work<Set>& work, std::uint32_t* memory)
      : base(work.lane.ready),
        lane_(work.lane),
        ring_(work.ring),
        work_(work),
        givers_(memory),
        credits_(begins_with_root<Several>(work.lane.run, work.lane.wave) ? 1 : 0) {}

  using base::busy;
  using base::taken;

  [[nodiscard]] CHANNELS_GPU_INLINE bool has_work() const {
    return idle_count_ != wave_width || ready_.size() != 0;
  }

  /// Takes a turn. True if the run is over.
  CHANNELS_GPU_INLINE bool take() {
    begin_idle_lanes();
    const bool goes_on = lane_.run.force_yield == 0 ? enter_tasks<false>() : enter_tasks<true>();
    if (!goes_on) return false;
    idle_count_ = count(ballot(work_.is_idle()));
    return !has_work() && credits_ != 0 && leave();
  }

  /// Moves the oldest tasks of the lanes that have the most to the wavefront's stack, to be given.
  CHANNELS_GPU_INLINE void share() {
    if (ready_.size() >= wave_width || ready_.provide(wave_width) < wave_width) return;
    const bool gives = has_much();
    if (gives) push_oldest();
    ready_.finish_pushes();
  }

  /// Before the first turn of the wavefront whose only ready task is the root. If the root is over
  /// at once, it is not entered.
  CHANNELS_GPU_INLINE void begin_with_root() {
    if (ready_.size() == 0) return;  // there was no memory
    ready_task<Set> root;
    ready_.newest(root);
    std::uint32_t is_over = 0;
    if (lane_index() == 0) {
      lane_.tasks = 1;
      Set::with(task_in(root.what), [&]<class Task>(Task*) {
        typename Task::arguments arguments;
        memcpy(&arguments, root.arguments, sizeof arguments);
        const leaf_sum leaf = sum_of_leaf<Task>(arguments);
        is_over = leaf.is_over ? 1 : 0;
        work_.sum = leaf.value;
      });
    }
    if (of_lane(is_over, 0) == 0) return;
    ready_.drop_oldest(1);
    idle_count_ = 0;  // it takes a turn, and finds that there is nothing left
  }

  /// A gift came: whoever sent it has counted this wavefront as working once more. `leave` gives
  /// all such credits back.
  CHANNELS_GPU_INLINE void take_credit() { ++credits_; }
  /// A gift of another GPU came: whoever sent it has counted this GPU as working once more.
  CHANNELS_GPU_INLINE void take_credit_of_peer() {
    if (lane_index() == 0) run_sum<Set, true>::take_credit_of_peer(lane_.run);
    ++credits_;
  }

 private:
  CHANNELS_GPU_INLINE void begin_idle_lanes() {
    if (idle_count_ == 0 || ready_.size() == 0) return;
    const bool is_idle = work_.is_idle();
    const lane_mask idle = ballot(is_idle);
    const std::uint32_t to_enter = min(ready_.size(), count(idle));
    ready_task<Set> t;
    const std::uint32_t rank = is_idle ? rank_in(idle) : wave_width;
    ready_.pop(to_enter, rank, t);
    if (rank < to_enter) {
      work_.goes_on_with(t.what);
      CHANNELS_GPU_UNROLL
      for (std::uint32_t i = 0; i < Set::argument_words; ++i) {
        work_.next_arguments[i] = t.arguments[i];
      }
    }
    converge();
  }

  /// Enters tasks for a turn. `Denies`: at times it denies a lane its turn
  /// (`settings::force_yield`). False if there is no memory.
  template <bool Denies>
  CHANNELS_GPU_INLINE bool enter_tasks() {
    const unsigned most = hurries_ ? turn_tuning::hurried_steps : turn_tuning::steps;
    for (unsigned steps = 0; steps < most;) {
      const lane_mask idle = ballot(work_.is_idle());
      const unsigned idle_count = count(idle);
      if (idle_count == wave_width) break;
      if (idle != 0) share_within(idle);
      if (ballot(!ring_.has_room()) != 0 && !make_room()) return false;
      // While few lanes work, idle ones should get tasks after each.
      const unsigned row = 2 * idle_count > wave_width ? 1 : summing_ring<Set>::tasks_in_a_row;
      enter_row<Denies>(row);
      steps += row;
      taken += row;
    }
    return true;
  }

  /// Each lane enters up to `most` of its tasks, one after the other. There is room for what they
  /// spawn.
  template <bool Denies>
  CHANNELS_GPU_INLINE void enter_row(unsigned most) {
    if (work_.is_idle()) return;
    CHANNELS_GPU_UNROLL_BY_FOUR
    for (unsigned i = 0; i < most; ++i) {
      if (Denies && lane_.denied()) {
        ++lane_.yields;
        continue;
      }
      ++busy;
      work_.has_next = false;
      const std::uint32_t what = work_.next_task;
      Set::with(task_in(what), [&]<class Task>(Task*) {
        summing_lane<Set, Task>(work_).run(what, work_.next_arguments);
      });
      if (work_.is_idle() && ring_.is_empty()) return;
      if (work_.is_idle()) work_.goes_on_with(ring_.pop(work_.next_arguments));
    }
  }

  /// Whether this lane has at least half as many tasks as the lane with the most.
  [[nodiscard]] CHANNELS_GPU_INLINE bool has_much() const {
    const std::uint32_t waiting = ring_.count();
    const std::uint32_t most = most_of_wave(waiting);
    return waiting != 0 && 2 * waiting >= most;
  }

  /// Idle lanes, a bit each in `idle`, take the oldest tasks of lanes that have much.
  CHANNELS_GPU_INLINE void share_within(lane_mask idle) {
    const bool has_much_here = has_much();
    const lane_mask rich = ballot(has_much_here);
    const unsigned moved = min(count(idle), count(rich));
    const bool gives = has_much_here && rank_in(rich) < moved;
    if (gives) givers_[rank_in(rich)] = ring_.oldest();
    fence_in_wave();
    if ((idle >> lane_index() & 1U) != 0 && rank_in(idle) < moved) {
      work_.goes_on_with(ring_.read_at(givers_[rank_in(idle)], work_.next_arguments));
    }
    // The tasks are read before their places are used again.
    fence_in_wave();
    if (gives) ring_.drop_oldest();
  }

  /// Moves the older half of each full ring to the wavefront's stack. False if there is no memory.
  CHANNELS_GPU_INLINE bool make_room() {
    const bool is_full = !ring_.has_room();
    constexpr std::uint32_t half = summing_ring<Set>::size / 2;
    const std::uint32_t needed = count(ballot(is_full)) * half;
    if (ready_.provide(needed) < needed) {
      if (is_full) lane_.fail(failure::ready, work_.next_task);
      return false;
    }
    if (is_full) {
      for (std::uint32_t i = 0; i < half; ++i) push_oldest();
    }
    ready_.finish_pushes();
    return true;
  }
  CHANNELS_GPU_INLINE void push_oldest() {
    ready_task<Set> t;
    t.what = ring_.read_at(ring_.oldest(), t.arguments);
    ring_.drop_oldest();
    ready_.push(t);
  }

  /// No work is left: adds the lanes' sums to the run's, and gives back the credits that count this
  /// wavefront as working. True if it was the last that worked; then it has told the host the
  /// result.
  CHANNELS_GPU_INLINE bool leave() {
    const std::uint64_t sum = sum_of_wave(work_.sum);
    work_.sum = 0;
    // What all lanes' tasks have written comes before the release in `run_sum`.
    fence_in_wave();
    std::uint32_t is_last = 0;
    if (lane_index() == 0) {
      is_last = run_sum<Set, Several>::leave(lane_.run, sum, credits_) ? 1 : 0;
    }
    credits_ = 0;
    return of_lane(is_last, 0) != 0;
  }

  lane_state<Set>& lane_;
  summing_ring<Set>& ring_;
  summing_work<Set>& work_;
  std::uint32_t* givers_;  ///< the places of the tasks that idle lanes take
  std::uint32_t credits_;  ///< what the GPU's count of working wavefronts has for this one
};

}  // namespace channels::gpu::detail
