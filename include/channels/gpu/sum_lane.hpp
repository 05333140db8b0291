#pragma once

#include <algorithm>  // clamp, max
#include <bit>        // bit_ceil, bit_floor, has_single_bit

#include "channels/gpu/lane_state.hpp"
#include "channels/gpu/leaf_lane.hpp"

namespace channels::gpu::detail {

/// The tasks that a lane has yet to enter, in a ring of its own in the memory of the work-group:
/// the newest are entered, the oldest, which have the largest subtrees, are given away. A task is
/// in pieces of up to four words, which are read and written at once; those of a lane are in the
/// same banks, so that lanes at different places do not meet.
template <class Set>
class sum_ring {
  /// Its arguments, and its number if there are several.
  static constexpr std::uint32_t task_words =
      std::max(Set::argument_words + (Set::size > 1 ? 1 : 0), std::uint32_t{1});
  static constexpr std::uint32_t piece_words = task_words < 3 ? task_words : 4;
  static constexpr std::uint32_t pieces =
      std::bit_ceil((task_words + piece_words - 1) / piece_words);
  /// Words of a lane: as many as leave room for enough wavefronts on a compute unit.
  static constexpr std::uint32_t words_wanted = 80;

  struct alignas(sizeof(std::uint32_t) * piece_words) piece {
    std::uint32_t words[piece_words];
  };
  /// Bytes from a lane's task to its next one.
  static constexpr std::uint32_t stride = pieces * wave_width * sizeof(piece);

 public:
  /// Tasks, a power of two.
  static constexpr std::uint32_t size =
      std::max(std::bit_ceil(2 * std::max(Set::most_spawns, std::uint32_t{2})),
               std::bit_floor(std::clamp(words_wanted / (pieces * piece_words), std::uint32_t{1},
                                         std::uint32_t{32})));
  /// Words of the work-group's memory.
  static constexpr CHANNELS_DEVICE std::uint32_t words_for(unsigned width) {
    return size * pieces * piece_words * width;
  }

  /// Where this lane's begins.
  [[nodiscard]] static CHANNELS_GPU_INLINE std::uint32_t first_word() {
    return lane_index() * piece_words;
  }

  /// `memory`: `words_for` of them, aligned to 16 bytes; `own`: the same, from `first_word` on.
  CHANNELS_GPU_INLINE sum_ring(std::uint32_t* memory, std::uint32_t* own)
      : all_(reinterpret_cast<piece*>(memory)), own_(reinterpret_cast<piece*>(own)) {}

  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t count() const {
    return (top_ - bottom_) / stride;
  }
  [[nodiscard]] CHANNELS_GPU_INLINE bool is_empty() const { return top_ == bottom_; }
  /// Tasks that may be entered one after the other if `has_room`: of each all children but the
  /// last, which stays in registers, are put here. Lanes look at each other before the next row:
  /// the longer it is, the less that costs, and the longer are idle ones idle.
  static constexpr std::uint32_t row =
      std::clamp(size / 2 / (std::max(Set::most_spawns, 2U) - 1), 1U, 12U);
  [[nodiscard]] CHANNELS_GPU_INLINE bool has_room() const {
    return count() + row * std::max(Set::most_spawns, 1U) <= size + row;
  }

  /// A task's number and its arguments, which are in registers.
  CHANNELS_GPU_INLINE void push(std::uint32_t task,
                                const std::uint32_t (&arguments)[Set::argument_words]) {
    piece* const to = place(own_, top_);
    CHANNELS_GPU_UNROLL
    for (std::uint32_t p = 0; p < pieces; ++p) {
      piece written;
      CHANNELS_GPU_UNROLL
      for (std::uint32_t i = 0; i < piece_words; ++i) {
        const std::uint32_t word = p * piece_words + i;
        written.words[i] = word < Set::argument_words ? arguments[word] : task;
      }
      to[p * wave_width] = written;
    }
    top_ += stride;
  }
  /// Takes the newest.
  CHANNELS_GPU_INLINE std::uint32_t pop(std::uint32_t (&arguments)[Set::argument_words]) {
    top_ -= stride;
    return read(place(own_, top_), arguments);
  }

  /// Where the oldest is, as seen by all lanes.
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t oldest() const {
    return bottom_ + lane_index() * static_cast<std::uint32_t>(sizeof(piece));
  }
  /// Reads what is at the `oldest` of any lane.
  CHANNELS_GPU_INLINE std::uint32_t read_at(std::uint32_t where,
                                            std::uint32_t (&arguments)[Set::argument_words]) const {
    return read(place(all_, where), arguments);
  }
  CHANNELS_GPU_INLINE void drop_oldest() { bottom_ += stride; }

 private:
  [[nodiscard]] static CHANNELS_GPU_INLINE piece* place(piece* start, std::uint32_t bytes) {
    return reinterpret_cast<piece*>(reinterpret_cast<std::byte*>(start) + bytes % (size * stride));
  }
  [[nodiscard]] static CHANNELS_GPU_INLINE std::uint32_t read(
      const piece* from, std::uint32_t (&arguments)[Set::argument_words]) {
    std::uint32_t task = 0;
    CHANNELS_GPU_UNROLL
    for (std::uint32_t p = 0; p < pieces; ++p) {
      const piece all = from[p * wave_width];
      CHANNELS_GPU_UNROLL
      for (std::uint32_t i = 0; i < piece_words; ++i) {
        const std::uint32_t word = p * piece_words + i;
        if (word < Set::argument_words) arguments[word] = all.words[i];
        if (Set::size > 1 && word == Set::argument_words) task = all.words[i];
      }
    }
    return task;
  }

  piece* all_;
  piece* own_;  ///< this lane's
  // Bytes, which go around: the address of a task takes two instructions.
  static_assert(std::has_single_bit(size * stride));
  std::uint32_t bottom_ = 0;
  std::uint32_t top_ = 0;
};

/// Of a task that may be over at once: whether it is, and what it adds then.
struct leaf_sum {
  bool is_over;
  std::uint64_t value;  ///< 0 if it is not; of whatever integer, as it is when cut off
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

/// What a lane is at: the task that it enters next, those that wait, of which there are none if
/// there is no next one, and what those that have ended add up to.
template <class Set>
struct sum_work {
  lane_state<Set>& lane;
  sum_ring<Set>& ring;

  bool has_next = false;
  std::uint32_t next_task = 0;
  std::uint32_t next_arguments[Set::argument_words];
  std::uint64_t sum = 0;  ///< of whatever integers, as they are when cut off

  CHANNELS_GPU_INLINE sum_work(lane_state<Set>& l, sum_ring<Set>& r) : lane(l), ring(r) {}
  sum_work(const sum_work&) = delete;
  sum_work& operator=(const sum_work&) = delete;

  [[nodiscard]] CHANNELS_GPU_INLINE bool is_idle() const { return !has_next; }
  /// Its arguments are there already.
  CHANNELS_GPU_INLINE void goes_on_with(std::uint32_t task) {
    has_next = true;
    if constexpr (Set::size > 1) next_task = task;
  }
};

/// The execution context of a task that sums up (task.hpp has its meaning). Nothing waits for its
/// children: what they add up to goes to the sum of whichever lane runs them, and what the task
/// adds to that it says at once, as if they had all returned 0.
template <class Set, task Task>
class sum_lane {
 public:
  using work = sum_work<Set>;
  using frame_type = typename Task::frame;
  using result_type = typename Task::result_type;

  CHANNELS_GPU_INLINE explicit sum_lane(work& w) : w_(w) {}
  sum_lane(const sum_lane&) = delete;
  sum_lane& operator=(const sum_lane&) = delete;

  /// Never null: there is room before a task is entered.
  template <class... Children, class... Counts>
  [[nodiscard]] CHANNELS_GPU_INLINE frame_type* open(Counts...) {
    return &frame_;
  }
  template <class... Children, class... Counts>
  [[nodiscard]] CHANNELS_GPU_INLINE bool reserve(Counts...) {
    return true;
  }
  template <task Child>
  [[nodiscard]] CHANNELS_GPU_INLINE bool spawn(typename Child::result_type* slot,
                                               const typename Child::arguments& arguments)
    requires(!std::is_void_v<typename Child::result_type>)
  {
    spawn_one<Child>(arguments);
    *slot = 0;
    return true;
  }
  template <task Child>
  [[nodiscard]] CHANNELS_GPU_INLINE bool spawn(const typename Child::arguments& arguments)
    requires(std::is_void_v<typename Child::result_type>)
  {
    spawn_one<Child>(arguments);
    return true;
  }
  template <class Value>
  [[nodiscard]] CHANNELS_GPU_INLINE outcome finish(const Value& value) {
    w_.sum += static_cast<std::uint64_t>(static_cast<result_type>(value));
    return outcome::finished;
  }
  [[nodiscard]] CHANNELS_GPU_INLINE outcome finish() { return outcome::finished; }
  [[nodiscard]] CHANNELS_GPU_INLINE outcome sync(std::uint32_t point) {
    point_ = point;
    return outcome::suspended;
  }
  [[nodiscard]] CHANNELS_GPU_INLINE outcome yield(std::uint32_t) { return outcome::yielded; }
  [[nodiscard]] CHANNELS_GPU_INLINE outcome retry() { return outcome::retry; }
  /// Of a task that sums up nobody knows.
  template <class... None>
  std::uint32_t level(None...) const {
    static_assert(sizeof...(None) != 0, "a task that sums_up has no level on a GPU");
    return 0;
  }

  /// It is not one that is over at once: those never wait to be entered.
  CHANNELS_GPU_INLINE void enter(const typename Task::arguments& arguments) {
    CHANNELS_GPU_ASSUME(!sum_of_leaf<Task>(arguments).is_over);
    outcome o = Task::enter(*this, arguments);
    while (o == outcome::suspended) o = Task::resume(*this, frame_, point_);
    // Room is never denied while it runs.
    if (o != outcome::finished) w_.lane.fail(failure::room, Set::template id<Task>);
  }

 private:
  /// The child is the next to be entered, and what was that waits. Little of it is conditional, for
  /// lanes go all ways that there are, one after the other.
  template <class Child>
  CHANNELS_GPU_INLINE void spawn_one(const typename Child::arguments& arguments) {
    const leaf_sum leaf = sum_of_leaf<Child>(arguments);
    w_.sum += leaf.value;
    if (w_.has_next && !leaf.is_over) w_.ring.push(w_.next_task, w_.next_arguments);
    if (!w_.has_next || !leaf.is_over) {
      if constexpr (sizeof arguments % 4 != 0) w_.next_arguments[sizeof arguments / 4] = 0;
      memcpy(w_.next_arguments, &arguments, sizeof arguments);
    }
    if (!leaf.is_over) w_.goes_on_with(Set::template id<Child>);
    ++w_.lane.tasks;  // here, for how many there are of this is mostly known
  }

  work& w_;
  std::uint32_t point_ = 0;
  frame_type frame_;
};

}  // namespace channels::gpu::detail
