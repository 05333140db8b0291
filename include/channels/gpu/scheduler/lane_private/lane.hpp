#pragma once

#include "channels/gpu/scheduler/lane_private/stack.hpp"
#include "channels/gpu/scheduler/leaf_lane.hpp"

namespace channels::gpu::detail {

/// The lane of a task on a lane-private stack. The last child stays in registers and is entered
/// next; the others and the frame wait on the stack.
template <class Set, task Task>
class lane_private_lane
    : public channels::detail::lane_base_with_point<lane_private_lane<Set, Task>, Task> {
  using base = channels::detail::lane_base_with_point<lane_private_lane<Set, Task>, Task>;
  friend channels::detail::lane_base<lane_private_lane<Set, Task>, Task>;

 public:
  using work = lane_private_work<Set>;
  using typename base::frame_type;
  using typename base::result_type;

  /// For `enter`.
  CHANNELS_GPU_INLINE lane_private_lane(work& w, std::uint32_t to)
      : w_(w), to_(to), start_(w.stack.top), level_(w.level) {}
  /// For `resume`: takes the frame, whose head is `h`, off the stack.
  CHANNELS_GPU_INLINE lane_private_lane(work& w, record_head h)
      : w_(w), start_(w.stack.top - body - 1), level_(w.level - 1) {
    point_ = h.point();
    to_ = h.to() == 0 ? 0 : start_ - h.to();
    w.stack.load(start_, frame_);
    w.stack.top = start_;
  }
  lane_private_lane(const lane_private_lane&) = delete;
  lane_private_lane& operator=(const lane_private_lane&) = delete;

  /// Never null: there is room before a task is entered.
  template <class... Children, class... Counts>
  [[nodiscard]] CHANNELS_GPU_INLINE frame_type* open(Counts...) {
    return &frame_;
  }
  template <class... Children, class... Counts>
  [[nodiscard]] CHANNELS_GPU_INLINE bool reserve(Counts...) {
    denied_ = w_.lane.denied();
    return !denied_;
  }
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t level() const { return level_; }

  /// Runs the task from its entry, or from where it waited, until it ends or waits.
  CHANNELS_GPU_INLINE void enter(const typename Task::arguments& arguments) {
    ++w_.lane.tasks;
    go_on(Task::enter(*this, arguments));
  }
  CHANNELS_GPU_INLINE void resume() { go_on(go_on_at_point()); }

 private:
  static constexpr std::uint32_t body = Set::template frame_words<Task>;

  [[nodiscard]] CHANNELS_GPU_INLINE outcome go_on_at_point() {
    ++w_.lane.resumed;
    return Task::resume(*this, frame_, point_);
  }

  /// Continues after a step that returned `o`. A task without children goes on at once; otherwise
  /// the frame is put on the stack.
  CHANNELS_GPU_INLINE void go_on(outcome o) {
    while (o != outcome::finished && w_.next_task == no_task) {
      if (o == outcome::yielded) {
        ++w_.lane.yields;
        if (!denied_) {
          w_.lane.fail(failure::room, what());
          return;
        }
      }
      o = go_on_at_point();
    }
    if (o == outcome::finished) {
      w_.level = level_;
      return;
    }
    if (o == outcome::yielded) ++w_.lane.yields;
    if (point_ >= record_head::most_points) w_.lane.fail(failure::points, what());
    w_.stack.store(start_, frame_);
    const std::uint32_t end = start_ + body;
    w_.stack[end] =
        record_head(true, Set::template id<Task>, to_ == 0 ? 0 : start_ - to_, point_).word();
    if (!pushed_) w_.stack.top = end + 1;
    w_.level = level_ + 1;
  }

  template <class Value>
  CHANNELS_GPU_INLINE void put_result(const Value& value) {
    w_.deliver(to_, static_cast<result_type>(value));
  }

  template <task Child>
  [[nodiscard]] CHANNELS_GPU_INLINE bool add_child(typename Child::result_type* slot,
                                                   const typename Child::arguments& arguments) {
    if (runs_as_leaf<Child>(slot, level_ + 1, arguments)) {
      ++w_.lane.tasks;
      return true;
    }
    if (w_.next_task != no_task) {
      if (!pushed_) {
        w_.stack.top = start_ + body + 1;
        pushed_ = true;
      }
      w_.push_next();
    }
    w_.next_task = Set::template id<Child>;
    w_.next_to = std::is_void_v<typename Child::result_type> ? 0 : place_of(slot);
    if constexpr (sizeof arguments % 4 != 0) w_.next_arguments[sizeof arguments / 4] = 0;
    memcpy(w_.next_arguments, &arguments, sizeof arguments);
    return true;
  }

  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t place_of(void* slot) const {
    const std::ptrdiff_t within =
        static_cast<const std::byte*>(slot) - reinterpret_cast<const std::byte*>(&frame_);
    return start_ + static_cast<std::uint32_t>(within) / 4;
  }
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t what() const {
    return Set::template id<Task> | level_ << task_bits;
  }

  using base::point_;
  work& w_;
  std::uint32_t to_;
  std::uint32_t start_;
  std::uint32_t level_;
  bool pushed_ = false;  ///< a child is above the frame's place
  bool denied_ = false;
  frame_type frame_;
};

}  // namespace channels::gpu::detail
