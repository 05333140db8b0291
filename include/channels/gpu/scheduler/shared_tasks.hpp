#pragma once

#include "channels/gpu/scheduler/run_end.hpp"
#include "channels/gpu/tuning.hpp"

namespace channels::gpu::detail {

/// Words of the device's memory for a `shared_tasks` of `capacity` tasks, a power of two, of so
/// many words each.
constexpr std::size_t shared_words(std::size_t capacity, std::uint32_t task_words) {
  return capacity * (1 + std::size_t{task_words});
}

/// A channel of ready tasks that all wavefronts of a run share. It replaces gifts (gifts.hpp) for
/// sets with group leaves: a wavefront that runs a group leaf comes back late, and a hungry one
/// would wait for its gift all that time. A wavefront with more than the task at hand puts the rest
/// into the channel while that holds few, and a hungry wavefront takes from it.
///
/// Both take tickets with one atomic that always succeeds, so any number of wavefronts can do it at
/// once. Each slot has a number: ticket `t` if the slot is free for the writer with ticket `t`, and
/// `t` + 1 if the task is there. A hungry wavefront has nothing else to do, and polls its own slot,
/// which no other wavefront polls. A giver finds its slot free, since there are more slots than
/// tasks that can be given ahead, unless a reader is a whole lap behind. All lanes of the wavefront
/// call these functions together, unless they say otherwise.
template <class Set>
class shared_tasks {
 public:
  using task = ready_task<Set>;

  CHANNELS_GPU_INLINE explicit shared_tasks(lane_state<Set>& lane)
      : run_(lane.run),
        lane_(lane),
        end_(lane),
        ready_(lane.ready),
        box_(lane.run.mailboxes[lane.wave]),
        numbers_(lane.run.shared),
        words_(lane.run.shared + lane.run.shared_capacity) {}

  std::uint32_t sent = 0;   ///< rows of tasks
  std::uint32_t given = 0;  ///< tasks in them

  /// Number of looks so far.
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t looks() const { return looks_; }

  /// Before a run: `items` work-items of a kernel call it, and this is number `item`.
  static CHANNELS_GPU_INLINE void clear(const run_parameters<Set>& run, std::uint32_t item,
                                        std::uint32_t items) {
    for (std::uint32_t i = item; i < run.shared_capacity; i += items) run.shared[i] = i;
    if (item == 0) run.control->shared_head = run.control->shared_tail = 0;
  }

  /// Before a turn: starts the reads whose results `end_look` uses after it, since the memory is
  /// far away. Relaxed: `take` acquires a task.
  template <class Turns>
  CHANNELS_GPU_INLINE void begin_look(const Turns& own) {
    ++looks_;
    message_ = load<order::relaxed>(&box_.message);
    if (waits_) number_ = load<acquire_beside_fence>(&numbers_[slot(ticket_)]);
    // A wavefront with nothing to give does not read the two words that all read.
    if (!own.has_work()) return;
    head_ = load<order::relaxed>(&run_.control->shared_head);
    tail_ = load<order::relaxed>(&run_.control->shared_tail);
  }

  /// After a turn: takes the task of its ticket, gives, or draws a ticket. False if the run is
  /// over.
  template <class Turns>
  CHANNELS_GPU_INLINE bool end_look(Turns& own) {
    if (end_.was_stopped(looks_)) return false;
    if (of_lane(message_, 0) == run_is_over) return false;
    // With the reserve, the task waits: it is not what the reserve is for.
    if (waits_ && !lane_.alone_with_reserve && of_lane(number_, 0) == ticket_ + 1 &&
        ready_.provide(1) != 0)
      take();
    if (own.may_give()) {
      // Lanes may have seen different numbers. With fewer than none, others wait. As many as there
      // are wavefronts: whoever comes next finds one.
      const auto waiting = static_cast<std::int32_t>(of_lane(tail_ - head_, 0));
      if (waiting < static_cast<std::int32_t>(run_.waves)) give(ready_.size() - own.keeps());
    } else if (!waits_ && !own.has_work()) {
      // Relaxed: the slot's number hands the task over.
      std::uint32_t ticket = 0;
      if (lane_index() == 0) ticket = fetch_add<order::relaxed>(&run_.control->shared_head, 1U);
      ticket_ = of_lane(ticket, 0);
      waits_ = true;
    }
    return true;
  }

  /// Ends the run: tells all wavefronts that it is over.
  CHANNELS_GPU_INLINE void end_run() const { end_.tell_all(); }

 private:
  static constexpr unsigned most_looks = shared_task_tuning::most_naps_for_slot;

  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t slot(std::uint32_t ticket) const {
    return ticket & (run_.shared_capacity - 1);
  }
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t* task_at(std::uint32_t ticket) const {
    return words_ + std::size_t{slot(ticket)} * task::words;
  }

  /// Puts the oldest tasks, `most` at most, into the channel.
  CHANNELS_GPU_INLINE void give(std::uint32_t most) {
    const std::uint32_t count = min(most, wave_width);
    // Relaxed, as above.
    const std::uint32_t first_ticket = of_lane(
        lane_index() == 0 ? fetch_add<order::relaxed>(&run_.control->shared_tail, count) : 0U, 0);
    const std::uint32_t own = first_ticket + lane_index();
    if (lane_index() < count) {
      unsigned looks = 0;
      while (load<acquire_beside_fence>(&numbers_[slot(own)]) != own && ++looks < most_looks) {
        nap();
        // Its reader may be the wavefront that has the reserve, and comes when that is done.
        if (looks == most_looks - 1 && load<order::relaxed>(&run_.control->reserve.taken) != 0 &&
            load<order::relaxed>(&box_.message) != run_is_over)
          looks = 0;
      }
      if (looks == most_looks) lane_.fail(failure::unread, 0);
    }
    converge();
    acquire_from_device();  // the slots' last readers have read them
    if (lane_index() < count) {
      task t;
      ready_.oldest(lane_index(), t);
      lane_.share_frames_from(t.parent);
      std::uint32_t* const to = task_at(own);
      t.for_each_word([&](std::uint32_t w, std::uint32_t& word) { to[w] = word; });
    }
    ready_.drop_oldest(count);
    fence_in_wave();
    release_to_device();
    // Release, at the device's scope: the task, and what the wavefront has written for it.
    if (lane_index() < count) store<release_beside_fence>(&numbers_[slot(own)], own + 1);
    ++sent;
    given += count;
  }

  /// Takes the task of this wavefront's ticket, which is there.
  CHANNELS_GPU_INLINE void take() {
    acquire_from_device();  // the task, and all that it may read
    task t;
    if (lane_index() == 0) {
      const std::uint32_t* const from = task_at(ticket_);
      t.for_each_word([&](std::uint32_t w, std::uint32_t& word) { word = from[w]; });
    }
    release_to_device();  // it has been read
    if (lane_index() == 0) {
      store<release_beside_fence>(&numbers_[slot(ticket_)], ticket_ + run_.shared_capacity);
    }
    waits_ = false;
    ready_.add(1, t);
  }

  const run_parameters<Set>& run_;
  lane_state<Set>& lane_;
  run_end<Set> end_;
  ready_stack<Set>& ready_;
  mailbox& box_;
  std::uint32_t* numbers_;  ///< of slots
  std::uint32_t* words_;    ///< of tasks
  std::uint32_t message_ = 0;
  std::uint32_t head_ = 0;
  std::uint32_t tail_ = 0;
  std::uint32_t ticket_ = 0;  ///< of the task that it waits for
  std::uint32_t number_ = 0;  ///< of its slot
  bool waits_ = false;
  std::uint32_t looks_ = 0;
};

}  // namespace channels::gpu::detail
