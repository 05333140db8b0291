#pragma once

#include <algorithm>  // clamp, max
#include <bit>        // bit_ceil, bit_floor

#include "channels/gpu/lane_state.hpp"
#include "channels/gpu/leaf_lane.hpp"

namespace channels::gpu::detail {

/// The tasks that a lane has yet to enter, in a ring of its own in the memory of the work-group:
/// the newest are entered, the oldest, which have the largest subtrees, are given away. All words
/// of a lane are in the same bank, so that lanes at different places do not meet.
template <class Set>
class sum_ring {
  static constexpr std::uint32_t record_words = Set::argument_words + (Set::size > 1 ? 1 : 0);
  /// Words of a lane: as many as leave room for enough wavefronts on a compute unit.
  static constexpr std::uint32_t words_wanted = 80;

 public:
  /// Tasks.
  static constexpr std::uint32_t size = std::max(
      std::bit_ceil(2 * std::max(Set::most_spawns, std::uint32_t{2})),
      std::bit_floor(std::clamp(words_wanted / record_words, std::uint32_t{1}, std::uint32_t{32})));
  /// Words of the work-group's memory.
  static constexpr CHANNELS_DEVICE std::uint32_t words_for(unsigned width) {
    return size * record_words * width;
  }

  CHANNELS_GPU_INLINE explicit sum_ring(std::uint32_t* memory)
      : memory_(memory), words_(memory + lane_index()) {}

  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t count() const { return top_ - bottom_; }
  [[nodiscard]] CHANNELS_GPU_INLINE bool is_empty() const { return top_ == bottom_; }
  /// Tasks that may be entered one after the other if `has_room`: of each all children but the
  /// last, which stays in registers, are put here.
  static constexpr std::uint32_t row =
      Set::most_spawns < 2 ? 4 : std::clamp(size / 2 / (Set::most_spawns - 1), 1U, 4U);
  [[nodiscard]] CHANNELS_GPU_INLINE bool has_room() const {
    return count() + row * std::max(Set::most_spawns, 1U) <= size + row;
  }

  /// A task's number and its arguments, which are in registers.
  CHANNELS_GPU_INLINE void push(std::uint32_t task,
                                const std::uint32_t (&arguments)[Set::argument_words]) {
    std::uint32_t* const to = words_ + start_of(top_);
    CHANNELS_GPU_UNROLL
    for (std::uint32_t i = 0; i < Set::argument_words; ++i) to[i * wave_width] = arguments[i];
    if constexpr (Set::size > 1) to[Set::argument_words * wave_width] = task;
    ++top_;
  }
  /// Takes the newest.
  CHANNELS_GPU_INLINE std::uint32_t pop(std::uint32_t (&arguments)[Set::argument_words]) {
    --top_;
    return read(words_ + start_of(top_), arguments);
  }

  /// Where the oldest is, as seen by all lanes.
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t oldest() const {
    return start_of(bottom_) + lane_index();
  }
  /// Reads what is at the `oldest` of any lane.
  CHANNELS_GPU_INLINE std::uint32_t read_at(std::uint32_t place,
                                            std::uint32_t (&arguments)[Set::argument_words]) const {
    return read(memory_ + place, arguments);
  }
  CHANNELS_GPU_INLINE void drop_oldest() { ++bottom_; }

 private:
  [[nodiscard]] static CHANNELS_GPU_INLINE std::uint32_t start_of(std::uint32_t number) {
    return number % size * (record_words * wave_width);
  }
  [[nodiscard]] static CHANNELS_GPU_INLINE std::uint32_t read(
      const std::uint32_t* from, std::uint32_t (&arguments)[Set::argument_words]) {
    CHANNELS_GPU_UNROLL
    for (std::uint32_t i = 0; i < Set::argument_words; ++i) arguments[i] = from[i * wave_width];
    if constexpr (Set::size > 1) return from[Set::argument_words * wave_width];
    return 0;
  }

  std::uint32_t* memory_;
  std::uint32_t* words_;  ///< this lane's
  std::uint32_t bottom_ = 0;
  std::uint32_t top_ = 0;
};

inline constexpr std::uint32_t nothing_next = ~std::uint32_t{0};

/// What a lane is at: the task that it enters next, those that wait, and what those that have ended
/// add up to.
template <class Set>
struct sum_work {
  lane_state<Set>& lane;
  sum_ring<Set>& ring;

  std::uint32_t next_task = nothing_next;
  std::uint32_t next_arguments[Set::argument_words];
  std::uint64_t sum = 0;  ///< of whatever integers, as they are when cut off

  CHANNELS_GPU_INLINE sum_work(lane_state<Set>& l, sum_ring<Set>& r) : lane(l), ring(r) {}
  sum_work(const sum_work&) = delete;
  sum_work& operator=(const sum_work&) = delete;

  [[nodiscard]] CHANNELS_GPU_INLINE bool is_idle() const {
    return next_task == nothing_next && ring.is_empty();
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
    typename Child::result_type result{};
    if (runs_as_leaf<Child>(&result, 0, arguments)) {
      ++w_.lane.tasks;
      add(result);
    } else {
      enter_later<Child>(arguments);
    }
    *slot = 0;
    return true;
  }
  template <task Child>
  [[nodiscard]] CHANNELS_GPU_INLINE bool spawn(const typename Child::arguments& arguments)
    requires(std::is_void_v<typename Child::result_type>)
  {
    if (runs_as_leaf<Child>(nullptr, 0, arguments)) {
      ++w_.lane.tasks;
    } else {
      enter_later<Child>(arguments);
    }
    return true;
  }
  template <class Value>
  [[nodiscard]] CHANNELS_GPU_INLINE outcome finish(const Value& value) {
    add(static_cast<result_type>(value));
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

  CHANNELS_GPU_INLINE void enter(const typename Task::arguments& arguments) {
    ++w_.lane.tasks;
    outcome o = Task::enter(*this, arguments);
    while (o == outcome::suspended) o = Task::resume(*this, frame_, point_);
    // Room is never denied while it runs.
    if (o != outcome::finished) w_.lane.fail(failure::room, Set::template id<Task>);
  }

 private:
  template <class Value>
  CHANNELS_GPU_INLINE void add(Value value) {
    w_.sum += static_cast<std::uint64_t>(value);
  }

  template <class Child>
  CHANNELS_GPU_INLINE void enter_later(const typename Child::arguments& arguments) {
    if (w_.next_task != nothing_next) w_.ring.push(w_.next_task, w_.next_arguments);
    w_.next_task = Set::template id<Child>;
    if constexpr (sizeof arguments % 4 != 0) w_.next_arguments[sizeof arguments / 4] = 0;
    memcpy(w_.next_arguments, &arguments, sizeof arguments);
  }

  work& w_;
  std::uint32_t point_ = 0;
  frame_type frame_;
};

}  // namespace channels::gpu::detail
