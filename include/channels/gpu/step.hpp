#pragma once

#include "channels/gpu/task_lane.hpp"

namespace channels::gpu::detail {

/// What a lane does between two looks at the others: runs the child on top, or, when a frame's
/// children have ended, the frame.
template <class Set>
class stepper {
 public:
  using state = lane_state<Set>;

  explicit CHANNELS_GPU_INLINE stepper(state& s) : s_(s) {}

  /// True if there is something to step.
  [[nodiscard]] CHANNELS_GPU_INLINE bool has_work() const {
    return s_.next_task != no_task ||
           (s_.stack.size() != 0 && s_.top().kind() != record_kind::given);
  }

  CHANNELS_GPU_INLINE void step() {
    settle();
    converge();
    if (s_.next_task == no_task && s_.stack.size() != 0) {
      const record_head h = s_.top();
      if (h.kind() == record_kind::child) s_.pop_next(h);
    }
    converge();
    if (s_.next_task != no_task) {
      Set::with(s_.next_task, [&]<class Task>(Task*) { enter<Task>(); });
    }
    converge();
    if (s_.next_task == no_task && s_.stack.size() != 0) {
      const record_head h = s_.top();
      if (h.kind() == record_kind::frame) {
        Set::with(h.task(), [&]<class Task>(Task*) { resume<Task>(h); });
      } else if (h.kind() == record_kind::borrowed) {
        end_borrowed();
      }
    }
    converge();
  }

  CHANNELS_GPU_INLINE void settle() {
    if (!s_.stack.settled() && !s_.stack.settle()) s_.fail(failure::stack, task_on_top());
  }

 private:
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t task_on_top() const {
    return s_.next_task != no_task ? s_.next_task : s_.top().task();
  }

  template <class Task>
  CHANNELS_GPU_INLINE void enter() {
    if (s_.denied()) return;
    if (!task_lane<Set, Task>::has_room(s_)) {
      s_.fail(failure::frames, s_.next_task);
      return;
    }
    typename Task::arguments arguments;
    memcpy(&arguments, s_.next_arguments, sizeof arguments);
    s_.next_task = no_task;
    task_lane<Set, Task> lane(s_, s_.next_to);
    const outcome o = Task::enter(lane, arguments);
    ++s_.tasks;
    go_on<Task>(lane, o);
  }

  template <class Task>
  CHANNELS_GPU_INLINE void resume(record_head h) {
    task_lane<Set, Task> lane(s_, h);
    ++s_.resumed;
    go_on<Task>(lane, Task::resume(lane, *lane.frame(), lane.point()));
  }

  /// A task that waits for nothing goes on at once. One that found no room goes on when the
  /// children that it has spawned have ended; if it has none, there will not be more room than
  /// there is.
  template <class Task, class Lane>
  CHANNELS_GPU_INLINE void go_on(Lane& lane, outcome o) {
    while (o != outcome::finished && !lane.has_children()) {
      if (o == outcome::yielded) {
        ++s_.yields;
        if (!lane.was_denied()) {
          s_.fail(failure::room, Set::template id<Task>);
          break;
        }
      }
      ++s_.resumed;
      o = Task::resume(lane, *lane.frame(), lane.point());
    }
    if (o == outcome::finished) {
      lane.leave();
    } else {
      if (o == outcome::yielded) ++s_.yields;
      lane.save();
    }
  }

  CHANNELS_GPU_INLINE void end_borrowed() {
    const std::uint32_t start = s_.stack.size() - state::borrowed_words;
    const std::uint32_t index = s_.stack[start];
    s_.stack.resize(start);
    if (index == no_number) {
      s_.run.host->ended = 1;
      s_.end_run();
      return;
    }
    using gift_type = gift<Set>;
    gift_type& g = s_.run.gifts[index];
    // Release: whoever finds it done finds the result, and all that the child wrote. Acquire: the
    // stack that waits for it.
    const std::uint32_t generation = load<order::relaxed>(&g.state) & ~gift_type::how;
    const std::uint32_t before = exchange<order::acq_rel>(&g.state, generation | gift_type::done);
    if ((before & gift_type::how) != gift_type::awaited) return;
    s_.give_back_region();
    s_.region = g.region;
    s_.stack.take_over(s_.region_at(g.region), g.size);
    s_.level = g.parent_level;
    s_.waiting = g.parent_waiting;
    s_.frames = s_.frames_of(g.region) + g.parent_frames;
  }

  state& s_;
};

}  // namespace channels::gpu::detail
