#pragma once

#include <algorithm>  // max
#include <bit>        // bit_ceil

#include "channels/gpu/scheduler/lane_state.hpp"
#include "channels/gpu/tuning.hpp"

namespace channels::gpu::detail {

/// The last word of a record on a lane-private stack. A record is a child that waits to be entered,
/// with its arguments below this word; or a frame, with its variables below and its children above.
/// Its size follows from which of the two it is, and from the task.
class record_head {
 public:
  CHANNELS_GPU_INLINE explicit record_head(std::uint32_t word) : word_(word) {}
  CHANNELS_GPU_INLINE record_head(bool is_frame, std::uint32_t task, std::uint32_t to,
                                  std::uint32_t point)
      : word_((is_frame ? 1U : 0U) | task << 1U | to << 6U | point << 17U) {}

  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t word() const { return word_; }
  [[nodiscard]] CHANNELS_GPU_INLINE bool is_frame() const { return (word_ & 1U) != 0; }
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t task() const { return word_ >> 1U & 31U; }
  /// Words from the place of the result up to the record's start; 0: the result does not go into
  /// this stack.
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t to() const { return word_ >> 6U & 2047U; }
  /// Where a frame goes on.
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t point() const { return word_ >> 17U; }

  static constexpr std::uint32_t most_points = 1U << 15U;

 private:
  std::uint32_t word_;
};

/// A stack of words for each lane, in the memory of the work-group. The words of a lane are all in
/// the same bank, so lanes at different depths have no bank conflicts. Places are numbered from 1;
/// place 0 is none. One lane calls these functions, for its own stack.
template <class Set>
class lane_private_stack {
 public:
  static constexpr std::uint32_t size =
      std::max(group_memory_tuning::least_stack_words, std::bit_ceil(4 * Set::reach));
  /// Words of the work-group's memory for `width` lanes.
  static constexpr CHANNELS_DEVICE std::uint32_t words_for(unsigned width) {
    return (size + 1) * width;
  }

  CHANNELS_GPU_INLINE explicit lane_private_stack(std::uint32_t* memory)
      : words_(memory + lane_index()) {}

  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t& operator[](std::uint32_t place) const {
    return words_[place * wave_width];
  }
  [[nodiscard]] CHANNELS_GPU_INLINE record_head top_head() const {
    return record_head((*this)[top - 1]);
  }
  [[nodiscard]] CHANNELS_GPU_INLINE bool is_empty() const { return top == 1; }
  /// Whether a task may be entered or resumed.
  [[nodiscard]] CHANNELS_GPU_INLINE bool has_room() const { return top - 1 + Set::reach <= size; }

  template <class T>
  CHANNELS_GPU_INLINE void store(std::uint32_t place, const T& value) const {
    std::uint32_t parts[words(sizeof(T))];
    if constexpr (sizeof(T) % 4 != 0) parts[sizeof(T) / 4] = 0;
    memcpy(parts, &value, sizeof value);
    CHANNELS_GPU_UNROLL
    for (std::uint32_t i = 0; i < words(sizeof(T)); ++i) (*this)[place + i] = parts[i];
  }
  template <class T>
  CHANNELS_GPU_INLINE void load(std::uint32_t place, T& value) const {
    std::uint32_t parts[words(sizeof(T))];
    CHANNELS_GPU_UNROLL
    for (std::uint32_t i = 0; i < words(sizeof(T)); ++i) parts[i] = (*this)[place + i];
    memcpy(&value, parts, sizeof value);
  }

  std::uint32_t top = 1;  ///< where the next word goes

 private:
  std::uint32_t* words_;
};

inline constexpr std::uint32_t no_task = ~std::uint32_t{0};

/// The work of a lane: a subtree of its own, depth first. One lane calls these functions.
template <class Set>
struct lane_private_work {
  lane_state<Set>& lane;
  lane_private_stack<Set>& stack;

  // The child that is entered next.
  std::uint32_t next_task = no_task;
  std::uint32_t next_to = 0;  ///< a place, or 0: `base_to`
  std::uint32_t next_arguments[Set::argument_words];

  std::uint32_t level = 0;    ///< of the next child
  std::uint32_t waiting = 0;  ///< children on the stack

  // The task at the bottom: its parent, where its result goes, its level.
  frame_index base_parent = no_frame;
  void* base_to = nullptr;
  std::uint32_t base_level = 0;

  CHANNELS_GPU_INLINE lane_private_work(lane_state<Set>& l, lane_private_stack<Set>& s)
      : lane(l), stack(s) {}
  lane_private_work(const lane_private_work&) = delete;
  lane_private_work& operator=(const lane_private_work&) = delete;

  [[nodiscard]] CHANNELS_GPU_INLINE bool is_idle() const { return base_parent == no_frame; }
  [[nodiscard]] CHANNELS_GPU_INLINE bool has_ended() const {
    return next_task == no_task && stack.is_empty();
  }

  [[nodiscard]] CHANNELS_GPU_INLINE static std::uint32_t words_of(record_head h) {
    std::uint32_t size = 1;
    Set::with(h.task(), [&]<class Task>(Task*) {
      size += h.is_frame() ? Set::template frame_words<Task> : Set::template child_words<Task>;
    });
    return size;
  }

  CHANNELS_GPU_INLINE void push_next() {
    Set::with(next_task, [&]<class Task>(Task*) {
      constexpr std::uint32_t size = Set::template child_words<Task>;
      const std::uint32_t start = stack.top;
      CHANNELS_GPU_UNROLL
      for (std::uint32_t i = 0; i < size; ++i) stack[start + i] = next_arguments[i];
      stack[start + size] =
          record_head(false, next_task, next_to == 0 ? 0 : start - next_to, 0).word();
      stack.top = start + size + 1;
    });
    ++waiting;
  }
  /// The child on top of the stack, whose head is `h`, becomes the next one.
  CHANNELS_GPU_INLINE void pop_next(record_head h) {
    Set::with(h.task(), [&]<class Task>(Task*) {
      constexpr std::uint32_t size = Set::template child_words<Task>;
      const std::uint32_t start = stack.top - size - 1;
      CHANNELS_GPU_UNROLL
      for (std::uint32_t i = 0; i < size; ++i) next_arguments[i] = stack[start + i];
      next_to = h.to() == 0 ? 0 : start - h.to();
      stack.top = start;
    });
    next_task = h.task();
    --waiting;
  }

  template <class T>
  CHANNELS_GPU_INLINE void deliver(std::uint32_t to, const T& value) const {
    if (to != 0) {
      stack.store(to, value);
    } else {
      *static_cast<T*>(base_to) = value;
    }
  }

  /// Begins with a ready task.
  CHANNELS_GPU_INLINE void begin(const ready_task<Set>& t) {
    base_parent = t.parent;
    base_to = t.to;
    base_level = level_in(t.what);
    level = base_level;
    next_task = task_in(t.what);
    next_to = 0;
    CHANNELS_GPU_UNROLL
    for (std::uint32_t i = 0; i < Set::argument_words; ++i) next_arguments[i] = t.arguments[i];
    stack.top = 1;
  }
  /// Begins with a frame whose children have ended. The frame's place is free then.
  CHANNELS_GPU_INLINE void begin(frame_index frame) {
    const frame_header& h = lane.frames[frame];
    base_parent = h.parent;
    base_to = h.to;
    base_level = level_in(h.what);
    level = base_level + 1;
    next_task = no_task;
    const std::uint32_t task = task_in(h.what);
    Set::with(task, [&]<class Task>(Task*) {
      constexpr std::uint32_t size = Set::template frame_words<Task>;
      const std::uint32_t* const body = body_of<Task>(frame);
      CHANNELS_GPU_UNROLL
      for (std::uint32_t i = 0; i < size; ++i) stack[1 + i] = body[i];
      stack[1 + size] = record_head(true, task, 0, h.point).word();
      stack.top = 2 + size;
    });
  }

  /// Whether `detach` can do something: the frame at the bottom has a child.
  [[nodiscard]] CHANNELS_GPU_INLINE bool can_detach() const {
    return level - base_level > 1 ||
           (level != base_level && (next_task != no_task || waiting != 0));
  }

  /// Moves the frame at the bottom to `place`, where other lanes may resume it, and pushes its
  /// waiting children to the wavefront's ready tasks. What is above the frame is its child from now
  /// on.
  CHANNELS_GPU_INLINE void detach(frame_index place) {
    if (next_task == no_task) {
      const record_head h = stack.top_head();
      if (!h.is_frame()) pop_next(h);
    }
    // From the top down: the lowest frame is the last, its children are between it and the one
    // above.
    std::uint32_t above = 0;  // where the head of the frame above is
    std::uint32_t head = 0;
    std::uint32_t frame_start = 0;
    std::uint32_t start = stack.top;
    std::uint32_t children_end = start;
    for (std::uint32_t end = start; end != 1; end = start) {
      const record_head h(stack[end - 1]);
      start = end - words_of(h);
      if (h.is_frame()) {
        above = head;
        head = end - 1;
        children_end = above == 0 ? stack.top : frame_start;
        frame_start = start;
      }
    }
    const record_head h(stack[head]);
    frame_header& f = lane.frames[place];
    f.what = h.task() | base_level << task_bits;
    f.parent = base_parent;
    f.point = h.point();
    f.to = base_to;
    std::byte* body = nullptr;
    Set::with(h.task(), [&]<class Task>(Task*) {
      std::uint32_t* const words = body_of<Task>(place);
      body = reinterpret_cast<std::byte*>(words);
      for (std::uint32_t i = 0; i < Set::template frame_words<Task>; ++i) {
        words[i] = stack[1 + i];
      }
    });
    std::uint32_t moved = 0;
    for (std::uint32_t end = children_end; end != head + 1;) {
      const record_head c(stack[end - 1]);
      ready_task<Set> t;
      t.what = c.task() | (base_level + 1) << task_bits;
      t.parent = place;
      const std::uint32_t size = words_of(c);
      end -= size;
      t.to = body + std::size_t{4} * (end - c.to() - 1);
      CHANNELS_GPU_UNROLL
      for (std::uint32_t i = 0; i < Set::argument_words; ++i) {
        t.arguments[i] = i + 1 < size ? stack[end + i] : 0;
      }
      lane.ready.push(t);
      ++moved;
    }
    f.joins = moved + 1;
    waiting -= moved;
    std::uint32_t to = next_to;
    if (above != 0) {
      const record_head a(stack[above]);
      to = children_end - a.to();
      stack[above] = record_head(true, a.task(), 0, a.point()).word();
    }
    base_parent = place;
    base_to = body + std::size_t{4} * (to - 1);
    ++base_level;
    // The records above move down.
    const std::uint32_t below = children_end - 1;
    stack.top -= below;
    for (std::uint32_t i = 1; i != stack.top; ++i) stack[i] = stack[i + below];
    next_to = above == 0 || next_to == 0 ? 0 : next_to - below;
  }

 private:
  template <class Task>
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t* body_of(frame_index frame) const {
    return reinterpret_cast<std::uint32_t*>(reinterpret_cast<std::byte*>(&lane.frames[frame]) +
                                            body_offset<typename Task::frame>);
  }
};

}  // namespace channels::gpu::detail
