#pragma once

#include <algorithm>  // clamp, max
#include <bit>        // bit_ceil, bit_floor, has_single_bit

#include "channels/gpu/scheduler/lane_state.hpp"
#include "channels/gpu/scheduler/leaf_lane.hpp"
#include "channels/gpu/tuning.hpp"

namespace channels::gpu::detail {

/// A word for a task that waits: its number, and the point at which it goes on, if it was entered.
template <class Task, class Set>
CHANNELS_GPU_INLINE constexpr std::uint32_t rest_of(std::uint32_t point) {
  return Set::template id<Task> | (point + 1) << task_bits;
}
[[nodiscard]] CHANNELS_GPU_INLINE constexpr bool is_rest(std::uint32_t what) {
  return what >> task_bits != 0;
}
[[nodiscard]] CHANNELS_GPU_INLINE constexpr std::uint32_t point_in(std::uint32_t what) {
  return (what >> task_bits) - 1;
}

/// The ready tasks of one lane, in a ring in the memory of the work-group. The lane enters the
/// newest; the oldest, which have the largest subtrees, are given away. The rest of a task that has
/// yielded waits among them. A task is stored in pieces of four words and a smaller one, each of
/// which is read and written at once. The pieces of a lane are in the same banks, so that lanes at
/// different places have no bank conflicts. One lane calls these functions, for its own ring,
/// except `read_at`.
template <class Set>
class summing_ring {
  /// A task's arguments, and its number if there are several tasks.
  static constexpr std::uint32_t task_words =
      std::max(Set::argument_words + (Set::several_ways ? 1 : 0), std::uint32_t{1});
  static constexpr std::uint32_t rest_words = task_words % 4 == 3 ? 0 : task_words % 4;
  static constexpr std::uint32_t pieces = (task_words - rest_words + 3) / 4;
  static constexpr std::uint32_t slot_words = 4 * pieces + rest_words;

  template <std::uint32_t Words>
  struct alignas(sizeof(std::uint32_t) * Words) piece {
    std::uint32_t words[Words];
  };

 public:
  /// Tasks, a power of two.
  static constexpr std::uint32_t size =
      std::max(std::bit_ceil(2 * std::max(Set::most_spawns, std::uint32_t{2})),
               std::bit_floor(std::clamp(group_memory_tuning::ring_words / slot_words,
                                         std::uint32_t{1}, group_memory_tuning::most_ring_tasks)));
  /// Words of the work-group's memory for `width` lanes.
  static constexpr CHANNELS_DEVICE std::uint32_t words_for(unsigned width) {
    return size * slot_words * width;
  }

  /// The word at which this lane's tasks begin.
  [[nodiscard]] static CHANNELS_GPU_INLINE std::uint32_t first_word() {
    return lane_index() * (pieces != 0 ? 4 : rest_words);
  }

  /// `memory`: `words_for` of them, aligned to 16 bytes; `own`: the same, from `first_word` on.
  CHANNELS_GPU_INLINE summing_ring(std::uint32_t* memory, std::uint32_t* own)
      : all_(reinterpret_cast<std::byte*>(memory)), own_(reinterpret_cast<std::byte*>(own)) {}

  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t count() const { return (top_ - bottom_) / step; }
  [[nodiscard]] CHANNELS_GPU_INLINE bool is_empty() const { return top_ == bottom_; }
  /// Tasks that may be entered one after the other if `has_room`. All children of each but the
  /// last, which stays in registers, are put here. Lanes look at each other after such a row: a
  /// longer row costs less, but hungry lanes wait longer.
  static constexpr std::uint32_t tasks_in_a_row = std::clamp(
      size / 2 / (std::max(Set::most_spawns, 2U) - 1), 1U, turn_tuning::most_tasks_in_row);
  [[nodiscard]] CHANNELS_GPU_INLINE bool has_room() const {
    return count() + tasks_in_a_row * std::max(Set::most_spawns, 1U) <= size + tasks_in_a_row;
  }

  /// Puts a task here: its number, and its arguments, which are in registers.
  CHANNELS_GPU_INLINE void push(std::uint32_t task,
                                const std::uint32_t (&arguments)[Set::argument_words]) {
    std::uint32_t words[slot_words];
    CHANNELS_GPU_UNROLL
    for (std::uint32_t i = 0; i < slot_words; ++i) {
      words[i] = i < Set::argument_words ? arguments[i] : task;
    }
    std::byte* const to = own_ + offset(top_);
    if constexpr (pieces != 0) {
      CHANNELS_GPU_UNROLL
      for (std::uint32_t p = 0; p < pieces; ++p) write<4>(to + p * row, words + 4 * p);
    }
    if constexpr (rest_words != 0) {
      write<rest_words>(to + to_rest(lane_index()), words + 4 * pieces);
    }
    top_ += step;
  }
  /// Takes the newest task: returns its number, and its arguments in `arguments`.
  CHANNELS_GPU_INLINE std::uint32_t pop(std::uint32_t (&arguments)[Set::argument_words]) {
    top_ -= step;
    return read(own_ + offset(top_), lane_index(), arguments);
  }

  /// The place of the oldest task, for `read_at` of any lane.
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t oldest() const {
    if constexpr (has_both) return bottom_ % size * wave_width + lane_index();
    return offset(bottom_) + lane_index() * lane_bytes;
  }
  /// Reads the task at a place that `oldest` of any lane of the wavefront returned. The caller
  /// orders the other lane's writes before this, with a fence in the wavefront.
  CHANNELS_GPU_INLINE std::uint32_t read_at(std::uint32_t where,
                                            std::uint32_t (&arguments)[Set::argument_words]) const {
    if constexpr (!has_both) return read(all_ + where, 0, arguments);
    const std::uint32_t lane = where % wave_width;
    return read(all_ + where / wave_width * stride + lane * lane_bytes, lane, arguments);
  }
  CHANNELS_GPU_INLINE void drop_oldest() { bottom_ += step; }

 private:
  /// Whether a task is in pieces of four words and in a smaller one.
  static constexpr bool has_both = pieces != 0 && rest_words != 0;
  // Bytes: from a lane's task to its next one, from a lane's first piece to the next lane's, and
  // between pieces of a task.
  static constexpr std::uint32_t stride = slot_words * wave_width * sizeof(std::uint32_t);
  static constexpr std::uint32_t lane_bytes =
      (pieces != 0 ? 4 : rest_words) * sizeof(std::uint32_t);
  static constexpr std::uint32_t row = 4 * wave_width * sizeof(std::uint32_t);
  /// What an end of the ring grows by for a task: bytes, if the size of the ring in bytes is a
  /// power of two, for then the address of a task takes two instructions.
  static constexpr std::uint32_t step = std::has_single_bit(stride) && !has_both ? stride : 1;

  [[nodiscard]] static CHANNELS_GPU_INLINE std::uint32_t offset(std::uint32_t end) {
    return step == 1 ? end % size * stride : end % (size * stride);
  }
  /// From a task of that lane to its smaller piece.
  [[nodiscard]] static CHANNELS_GPU_INLINE std::uint32_t to_rest(std::uint32_t lane) {
    return pieces == 0 ? 0
                       : pieces * row - lane * (4 - rest_words) *
                                            static_cast<std::uint32_t>(sizeof(std::uint32_t));
  }

  template <std::uint32_t Words>
  static CHANNELS_GPU_INLINE void write(std::byte* to, const std::uint32_t* words) {
    piece<Words> all;
    CHANNELS_GPU_UNROLL
    for (std::uint32_t i = 0; i < Words; ++i) all.words[i] = words[i];
    *reinterpret_cast<piece<Words>*>(to) = all;
  }
  template <std::uint32_t Words>
  static CHANNELS_GPU_INLINE void read(const std::byte* from, std::uint32_t* words) {
    const piece<Words> all = *reinterpret_cast<const piece<Words>*>(from);
    CHANNELS_GPU_UNROLL
    for (std::uint32_t i = 0; i < Words; ++i) words[i] = all.words[i];
  }
  [[nodiscard]] static CHANNELS_GPU_INLINE std::uint32_t read(
      const std::byte* from, std::uint32_t lane, std::uint32_t (&arguments)[Set::argument_words]) {
    std::uint32_t words[slot_words];
    if constexpr (pieces != 0) {
      CHANNELS_GPU_UNROLL
      for (std::uint32_t p = 0; p < pieces; ++p) read<4>(from + p * row, words + 4 * p);
    }
    if constexpr (rest_words != 0) {
      read<rest_words>(from + to_rest(lane), words + 4 * pieces);
    }
    CHANNELS_GPU_UNROLL
    for (std::uint32_t i = 0; i < Set::argument_words; ++i) arguments[i] = words[i];
    if constexpr (!Set::several_ways) return 0;
    return words[slot_words > Set::argument_words ? Set::argument_words : 0];
  }

  static_assert(std::has_single_bit(size));
  std::byte* all_;
  std::byte* own_;  ///< this lane's tasks
  std::uint32_t bottom_ = 0;
  std::uint32_t top_ = 0;
};

/// Whether a task that has quick leaves is over at once, and what it adds then.
struct leaf_sum {
  bool is_over;
  std::uint64_t value;  ///< 0 if it is not over. Sums of smaller integers are cut off at the end
};
template <class Task>
CHANNELS_GPU_INLINE leaf_sum sum_of_leaf(const typename Task::arguments& arguments) {
  if constexpr (std::is_void_v<typename Task::result_type>) {
    return {runs_as_leaf<Task>(nullptr, 0, arguments), 0};
  } else {
    typename Task::result_type result{};
    const bool is_over = runs_as_leaf<Task>(&result, 0, arguments);
    return {is_over, static_cast<std::uint64_t>(result)};
  }
}

/// The work of a lane: the task that it enters next, the tasks that wait in the ring (none if there
/// is no next one), and the sum of those that have ended.
template <class Set>
struct summing_work {
  lane_state<Set>& lane;
  summing_ring<Set>& ring;

  bool has_next = false;
  std::uint32_t next_task = 0;
  std::uint32_t next_arguments[Set::argument_words];
  std::uint64_t sum = 0;  ///< sums of smaller integers are cut off at the end

  CHANNELS_GPU_INLINE summing_work(lane_state<Set>& l, summing_ring<Set>& r) : lane(l), ring(r) {}
  summing_work(const summing_work&) = delete;
  summing_work& operator=(const summing_work&) = delete;

  [[nodiscard]] CHANNELS_GPU_INLINE bool is_idle() const { return !has_next; }
  /// Makes `task` the next one. Its arguments are in `next_arguments` already.
  CHANNELS_GPU_INLINE void goes_on_with(std::uint32_t task) {
    has_next = true;
    if constexpr (Set::several_ways) next_task = task;
  }
};

/// The lane of a task that sums up. No task waits for its children: their results go to the sum of
/// the lane that runs them, and the task adds its own part at once, as if they had all returned 0.
/// A task that spawns without a bound gives up the lane when it has spawned and wants to do so
/// again; the rest of it waits below its child.
template <class Set, task Task>
class summing_lane : public channels::detail::lane_base_with_point<summing_lane<Set, Task>, Task> {
  using base = channels::detail::lane_base_with_point<summing_lane<Set, Task>, Task>;
  friend channels::detail::lane_base<summing_lane<Set, Task>, Task>;

 public:
  static constexpr bool spawns_in_loops = Task::spawn_bound == unbounded;
  static constexpr bool adds_results = spawns_in_loops;
  using work = summing_work<Set>;
  using typename base::frame_type;
  using typename base::result_type;

  CHANNELS_GPU_INLINE explicit summing_lane(work& w) : w_(w) {}
  summing_lane(const summing_lane&) = delete;
  summing_lane& operator=(const summing_lane&) = delete;

  /// Never null: there is room before a task is entered.
  template <class... Children, class... Counts>
  [[nodiscard]] CHANNELS_GPU_INLINE frame_type* open(Counts... counts) {
    promise((0U + ... + counts));
    return &frame_;
  }
  template <class... Children, class... Counts>
  [[nodiscard]] CHANNELS_GPU_INLINE bool reserve(Counts... counts) {
    if (spawns_in_loops && is_spent_) return false;
    promise((0U + ... + counts));
    return true;
  }
  /// The level of such a task is not known.
  template <class... None>
  std::uint32_t level(None...) const {
    static_assert(sizeof...(None) != 0, "a task that sums_up has no level on a GPU");
    return 0;
  }

  /// Enters the task whose arguments are `words`, or goes on with the rest of a task, which is
  /// `words`.
  CHANNELS_GPU_INLINE void run(std::uint32_t what,
                               const std::uint32_t (&words)[Set::argument_words]) {
    outcome o = outcome::suspended;
    if (!spawns_in_loops || !is_rest(what)) {
      typename Task::arguments arguments;
      memcpy(&arguments, words, sizeof arguments);
      // Tasks that are over at once never wait to be entered, unless memory has changed since.
      if constexpr (!task_traits<Task>::leaf_test_reads_memory)
        CHANNELS_GPU_ASSUME(!sum_of_leaf<Task>(arguments).is_over);
      o = Task::enter(*this, arguments);
    } else {
      frame_ = frame_type{};  // what is not kept is not read, but its places are computed
      memcpy(&frame_, words, kept_bytes);
      point_ = point_in(what);
    }
    while (o == outcome::suspended) o = Task::resume(*this, frame_, point_);
    if (o == outcome::finished) return;
    // Only a task that spawns in loops and has spawned is denied room.
    if (spawns_in_loops && o == outcome::yielded && is_spent_) {
      wait();
      return;
    }
    w_.lane.fail(failure::room, Set::template id<Task>);
  }

 private:
  static constexpr std::size_t kept_bytes = spawns_in_loops ? task_traits<Task>::kept_frame : 0;

  CHANNELS_GPU_INLINE void promise(std::uint32_t count) {
    if constexpr (spawns_in_loops) {
      promised_ = count;
      if (count > task_traits<Task>::most_at_once)
        w_.lane.fail(failure::room, Set::template id<Task>);
    }
  }
  /// Puts the rest of the task below the newest child.
  CHANNELS_GPU_INLINE void wait() {
    std::uint32_t rest[Set::argument_words];
    if constexpr (kept_bytes % 4 != 0) rest[kept_bytes / 4] = 0;
    memcpy(rest, &frame_, kept_bytes);
    w_.ring.push(rest_of<Task, Set>(point_), rest);
  }
  template <class Value>
  CHANNELS_GPU_INLINE void put_result(const Value& value) {
    w_.sum += static_cast<std::uint64_t>(static_cast<result_type>(value));
  }
  /// Makes the child the next to be entered; the task that was next waits. Little of this is
  /// conditional, because lanes that diverge run one after the other. False if the task has to wait
  /// for room.
  template <task Child>
  [[nodiscard]] CHANNELS_GPU_INLINE bool add_child([[maybe_unused]]
                                                   typename Child::result_type* slot,
                                                   const typename Child::arguments& arguments) {
    if constexpr (!adds_results && !std::is_void_v<typename Child::result_type>) *slot = 0;
    if constexpr (spawns_in_loops) {
      if (is_spent_ && promised_ == 0) return false;
      if (promised_ != 0) --promised_;
    }
    const leaf_sum leaf = sum_of_leaf<Child>(arguments);
    w_.sum += leaf.value;
    const bool may_have_next = task_traits<Task>::most_at_once > 1 && w_.has_next;
    if (may_have_next && !leaf.is_over) w_.ring.push(w_.next_task, w_.next_arguments);
    if (!may_have_next || !leaf.is_over) {
      if constexpr (sizeof arguments % 4 != 0) w_.next_arguments[sizeof arguments / 4] = 0;
      memcpy(w_.next_arguments, &arguments, sizeof arguments);
    }
    if (!leaf.is_over) w_.goes_on_with(Set::template id<Child>);
    ++w_.lane.tasks;  // counted here, as the compiler mostly knows how many spawns there are
    is_spent_ = true;
    return true;
  }

  using base::point_;
  work& w_;
  bool is_spent_ = false;       ///< has spawned
  std::uint32_t promised_ = 0;  ///< children for which there is room after that
  frame_type frame_;
};

}  // namespace channels::gpu::detail
