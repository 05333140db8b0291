#pragma once

#include "channels/gpu/lane_state.hpp"

namespace channels::gpu::detail {

/// The lane of a child that is run where it is spawned, if it ends at once: one that wants a frame
/// gets none, and nothing has happened.
template <class Child>
class leaf_lane {
 public:
  using result_type = typename Child::result_type;

  CHANNELS_GPU_INLINE leaf_lane(void* slot, std::uint32_t level) : slot_(slot), level_(level) {}

  template <class... Children, class... Counts>
  [[nodiscard]] CHANNELS_GPU_INLINE typename Child::frame* open(Counts...) {
    return nullptr;
  }
  template <class... Children, class... Counts>
  [[nodiscard]] CHANNELS_GPU_INLINE bool reserve(Counts...) {
    return false;
  }
  template <task Grandchild>
  [[nodiscard]] CHANNELS_GPU_INLINE bool spawn(typename Grandchild::result_type*,
                                               const typename Grandchild::arguments&)
    requires(!std::is_void_v<typename Grandchild::result_type>)
  {
    return false;
  }
  template <task Grandchild>
  [[nodiscard]] CHANNELS_GPU_INLINE bool spawn(const typename Grandchild::arguments&)
    requires(std::is_void_v<typename Grandchild::result_type>)
  {
    return false;
  }
  template <class Value>
  [[nodiscard]] CHANNELS_GPU_INLINE outcome finish(const Value& value) {
    *static_cast<result_type*>(slot_) = static_cast<result_type>(value);
    return outcome::finished;
  }
  [[nodiscard]] CHANNELS_GPU_INLINE outcome finish() { return outcome::finished; }
  [[nodiscard]] CHANNELS_GPU_INLINE outcome sync(std::uint32_t) { return outcome::retry; }
  [[nodiscard]] CHANNELS_GPU_INLINE outcome yield(std::uint32_t) { return outcome::retry; }
  [[nodiscard]] CHANNELS_GPU_INLINE outcome retry() { return outcome::retry; }
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t level() const { return level_; }

 private:
  void* slot_;
  std::uint32_t level_;
};

/// The execution context of a task in a GPU's lane (task.hpp has its meaning). Children go on the
/// lane's own stack, the last one in registers; after the sync, they run in this lane, unless they
/// are given away. A frame that only this lane uses is in registers while the task runs, and on the
/// stack while it waits.
template <class Set, task Task>
class task_lane {
 public:
  using state = lane_state<Set>;
  using frame_type = typename Task::frame;
  using result_type = typename Task::result_type;

  /// For `enter`: what the task returns goes to `to`.
  CHANNELS_GPU_INLINE task_lane(state& s, const destination& to)
      : s_(s), to_(to), start_(s.stack.size()), level_(s.level) {}
  /// For `resume`: takes the frame, whose head is `h`, off the stack.
  CHANNELS_GPU_INLINE task_lane(state& s, record_head h)
      : s_(s),
        start_(s.stack.size() - body - h.tail()),
        level_(s.level - 1),
        point_(h.point()),
        opened_(true) {
    to_ = s.destination_of(h, start_, body);
    if constexpr (is_private) s.stack.load(start_, frame_);
    s.stack.resize(start_);
  }
  task_lane(const task_lane&) = delete;
  task_lane& operator=(const task_lane&) = delete;

  /// Never null: there is room for a frame before a task is entered. (A pointer that may be null
  /// would keep the frame out of registers.)
  template <class... Children, class... Counts>
  [[nodiscard]] CHANNELS_GPU_INLINE frame_type* open(Counts... counts) {
    if constexpr (!is_private) {
      s_.frames += frame_bytes;
      opened_ = true;
    }
    (void)make_room<Children...>(counts...);
    return frame();
  }

  template <class... Children, class... Counts>
  [[nodiscard]] CHANNELS_GPU_INLINE bool reserve(Counts... counts) {
    if (s_.denied()) {
      denied_ = true;
      return false;
    }
    return make_room<Children...>(counts...);
  }

  template <task Child>
  [[nodiscard]] CHANNELS_GPU_INLINE bool spawn(typename Child::result_type* slot,
                                               const typename Child::arguments& arguments)
    requires(!std::is_void_v<typename Child::result_type>)
  {
    return add<Child>(slot, arguments);
  }
  template <task Child>
  [[nodiscard]] CHANNELS_GPU_INLINE bool spawn(const typename Child::arguments& arguments)
    requires(std::is_void_v<typename Child::result_type>)
  {
    return add<Child>(nullptr, arguments);
  }

  template <class Value>
  [[nodiscard]] CHANNELS_GPU_INLINE outcome finish(const Value& value) {
    s_.deliver(to_, static_cast<result_type>(value));
    return outcome::finished;
  }
  [[nodiscard]] CHANNELS_GPU_INLINE outcome finish() { return outcome::finished; }
  [[nodiscard]] CHANNELS_GPU_INLINE outcome sync(std::uint32_t point) {
    point_ = point;
    return outcome::suspended;
  }
  [[nodiscard]] CHANNELS_GPU_INLINE outcome yield(std::uint32_t point) {
    point_ = point;
    return outcome::yielded;
  }
  [[nodiscard]] CHANNELS_GPU_INLINE outcome retry() { return outcome::retry; }
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t level() const { return level_; }

  // For the step that runs the task.

  [[nodiscard]] CHANNELS_GPU_INLINE frame_type* frame() {
    if constexpr (is_private) {
      return &frame_;
    } else {
      return reinterpret_cast<frame_type*>(s_.frames - frame_bytes);
    }
  }
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t point() const { return point_; }
  /// Whether children have to run before the task goes on.
  [[nodiscard]] CHANNELS_GPU_INLINE bool has_children() const {
    return pushed_ || s_.next_task != no_task;
  }
  /// Whether room was denied although there was some.
  [[nodiscard]] CHANNELS_GPU_INLINE bool was_denied() const { return denied_; }
  /// Whether the task may be entered: it may want a frame.
  [[nodiscard]] CHANNELS_GPU_INLINE static bool has_room(const state& s) {
    return is_private || s.frames + frame_bytes <= s.frames_of(s.region) + s.run.frame_bytes;
  }

  /// The task is over.
  CHANNELS_GPU_INLINE void leave() {
    if (pushed_) s_.stack.resize(start_);
    if constexpr (!is_private) {
      if (opened_) s_.frames -= frame_bytes;
    }
    s_.level = level_;
  }
  /// The task waits: puts its frame on the stack, under its children.
  CHANNELS_GPU_INLINE void save() {
    if (point_ >= record_head::most_points) s_.fail(failure::points, Set::template id<Task>);
    const std::uint32_t size = s_.stack.size();
    if constexpr (is_private) s_.stack.store(start_, frame_);
    s_.close_record(record_kind::frame, Set::template id<Task>, start_, body, to_, point_);
    if (pushed_) s_.stack.resize(size);
    s_.level = level_ + 1;
  }

 private:
  static constexpr bool is_private = !shares_frame<Task>;
  static constexpr std::uint32_t body = Set::template frame_words<Task>;
  static constexpr std::size_t frame_bytes = (sizeof(frame_type) + 15) / 16 * 16;
  struct nothing {};

  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t end_of_frame() const {
    return start_ + body + record_head::tail_words(to_.place != 0);
  }

  template <class... Children, class... Counts>
  CHANNELS_GPU_INLINE bool make_room(Counts... counts) {
    const std::uint32_t children =
        (0 + ... +
         ((Set::template child_words<Children> + 3) * static_cast<std::uint32_t>(counts)));
    const std::uint32_t size = pushed_ ? s_.stack.size() : end_of_frame();
    if (size + children - start_ > Set::reach) {
      s_.fail(failure::room, Set::template id<Task>);
      return false;
    }
    reserved_ = size + children;
    return true;
  }

  template <class Child>
  CHANNELS_GPU_INLINE bool add(void* slot, const typename Child::arguments& arguments) {
    if constexpr (quick_leaves<Child>) {
      leaf_lane<Child> leaf(slot, level_ + 1);
      if (Child::enter(leaf, arguments) == outcome::finished) {
        ++s_.tasks;
        return true;
      }
    }
    if (s_.next_task != no_task) {
      if (!pushed_) {
        s_.stack.resize(end_of_frame());
        pushed_ = true;
      }
      // Work-first when a frame has many children: the others come when these have run.
      if (s_.stack.size() + Set::argument_words + 3 > reserved_) {
        if (extra_ >= most_waiting ||
            s_.stack.size() + Set::argument_words + 3 - start_ > Set::reach) {
          return false;
        }
        if (s_.denied()) {
          denied_ = true;
          return false;
        }
        ++extra_;
      }
      s_.push_next();
    }
    s_.next_task = Set::template id<Child>;
    s_.next_to = destination_of(slot);
    if constexpr (sizeof arguments % 4 != 0) s_.next_arguments[sizeof arguments / 4] = 0;
    memcpy(s_.next_arguments, &arguments, sizeof arguments);
    return true;
  }

  [[nodiscard]] CHANNELS_GPU_INLINE destination destination_of(void* slot) {
    destination to;
    if constexpr (is_private) {
      const std::ptrdiff_t within =
          static_cast<const std::byte*>(slot) - reinterpret_cast<const std::byte*>(&frame_);
      if (slot != nullptr && within >= 0 &&
          within < static_cast<std::ptrdiff_t>(sizeof(frame_type))) {
        to.place = start_ + static_cast<std::uint32_t>(within) / 4;
        return to;
      }
    }
    to.address = slot;
    return to;
  }

  state& s_;
  destination to_;
  std::uint32_t start_;
  std::uint32_t reserved_ = 0;  ///< the stack is kept for spawns up to here
  std::uint32_t extra_ = 0;
  std::uint32_t level_;
  std::uint32_t point_ = 0;
  bool opened_ = false;
  bool pushed_ = false;  ///< a child is above the frame's place
  bool denied_ = false;
  std::conditional_t<is_private, frame_type, nothing> frame_;
};

}  // namespace channels::gpu::detail
