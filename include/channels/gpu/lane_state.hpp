#pragma once

#include "channels/gpu/lane_stack.hpp"
#include "channels/gpu/task_set.hpp"

namespace channels::gpu::detail {

/// What a record of a lane's stack is.
enum class record_kind : std::uint32_t {
  child,    ///< waits to run: its arguments
  frame,    ///< of a task whose children are above it
  given,    ///< was a child that is given away: which gift it is
  borrowed  ///< at the bottom, what the rest runs for: which gift, or the root
};

/// The last word of each record. The record's size follows from kind and task.
class record_head {
 public:
  CHANNELS_GPU_INLINE explicit record_head(std::uint32_t word) : word_(word) {}
  CHANNELS_GPU_INLINE record_head(record_kind kind, std::uint32_t task, std::uint32_t to,
                                  std::uint32_t point)
      : word_(static_cast<std::uint32_t>(kind) | task << 2U | to << 7U | point << 18U) {}

  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t word() const { return word_; }
  [[nodiscard]] CHANNELS_GPU_INLINE record_kind kind() const {
    return static_cast<record_kind>(word_ & 3U);
  }
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t task() const { return word_ >> 2U & 31U; }
  /// How many words before the record's start its result goes; 0: elsewhere, and two words hold
  /// the address.
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t to() const { return word_ >> 7U & 2047U; }
  /// How many words the record has after its body: an address, if the result goes to one, and this.
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t tail() const { return tail_words(to() != 0); }
  static constexpr CHANNELS_DEVICE std::uint32_t tail_words(bool to_own_stack) {
    return to_own_stack ? 1 : 3;
  }
  /// Where a frame goes on.
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t point() const { return word_ >> 18U; }

  static constexpr std::uint32_t most_points = 1U << 14U;

 private:
  std::uint32_t word_;
};

inline constexpr std::uint32_t no_task = ~std::uint32_t{0};
inline constexpr std::uint32_t no_gift = ~std::uint32_t{0};

/// Where a result goes: to a place of the lane's own stack, or to an address. Place 0 is no
/// result's, for what is borrowed is at the bottom.
struct destination {
  std::uint32_t place = 0;
  void* address = nullptr;
};

/// How many gifts a wavefront may have out at a time, 32 for each of these words: one that has more
/// keeps its children. And how many stacks: one that has more waits for its children.
inline constexpr std::uint32_t gift_words = 16;
inline constexpr std::uint32_t region_words = 2;
inline constexpr std::uint32_t gifts_per_wave = 32 * gift_words;
inline constexpr std::uint32_t regions_per_wave = 32 * region_words;

inline constexpr std::uint32_t no_number = ~std::uint32_t{0};

/// Takes one of a wavefront's numbers that are free, a bit for each in some words; `no_number` if
/// none is. Each goes back to where it came from, whoever has it by then.
template <std::uint32_t Words>
CHANNELS_GPU_INLINE std::uint32_t take_number(std::uint32_t* all, std::uint32_t wave) {
  for (std::uint32_t i = 0; i < Words; ++i) {
    const std::uint32_t at = wave * Words + (i + lane_index()) % Words;
    for (std::uint32_t bits = load<order::relaxed>(&all[at]); bits != 0;) {
      const std::uint32_t bit = bits & -bits;
      // Acquire: what was written there last is older than what will be.
      bits = fetch_and<order::acquire>(&all[at], ~bit);
      if ((bits & bit) != 0) return at * 32 + first(bit);
    }
  }
  return no_number;
}
CHANNELS_GPU_INLINE void return_number(std::uint32_t* all, std::uint32_t number) {
  // Release: all that was written to what the number stands for.
  fetch_or<order::release>(&all[number / 32], 1U << number % 32);
}

/// One lane's work: a stack of records, and the child that runs next, which need not touch the
/// stack. Only its lane uses it; it lives in registers.
template <class Set>
struct lane_state {
  using parameters = run_parameters<Set>;

  const parameters& run;
  lane_stack<Set::reach> stack;
  std::byte* frames = nullptr;  ///< the next frame that children may see goes here
  std::uint32_t number;         ///< of the lane
  std::uint32_t waiting = 0;    ///< children on the stack
  std::uint32_t level = 0;      ///< of the next child: frames below it
  std::uint32_t region;         ///< where the far part of the stack is

  std::uint32_t next_task = no_task;
  destination next_to;
  std::uint32_t next_arguments[Set::argument_words];

  std::uint32_t random;
  std::uint32_t tasks = 0;
  std::uint32_t resumed = 0;
  std::uint32_t yields = 0;

  CHANNELS_GPU_INLINE lane_state(const parameters& r, lane_stack<Set::reach> s, std::uint32_t lane)
      : run(r), stack(s), number(lane), region(no_number), random(r.seed + lane * 2654435769U) {}
  lane_state(const lane_state&) = delete;
  lane_state& operator=(const lane_state&) = delete;

  [[nodiscard]] CHANNELS_GPU_INLINE record_head top() const {
    return record_head(stack[stack.size() - 1]);
  }
  /// Words of a record, its head included.
  [[nodiscard]] CHANNELS_GPU_INLINE static std::uint32_t words_of(record_head h) {
    if (h.kind() == record_kind::borrowed) return borrowed_words;
    std::uint32_t words = 0;
    Set::with(h.task(), [&]<class Task>(Task*) {
      words = h.kind() == record_kind::frame ? Set::template frame_words<Task>
                                             : Set::template child_words<Task>;
    });
    return words + h.tail();
  }
  static constexpr std::uint32_t borrowed_words = 2;

  /// The address that a record at `place`, with `words` words before it, holds.
  [[nodiscard]] CHANNELS_GPU_INLINE destination destination_of(record_head h, std::uint32_t start,
                                                               std::uint32_t body) const {
    destination to;
    if (h.to() != 0) {
      to.place = start - h.to();
    } else {
      stack.load(start + body, to.address);
    }
    return to;
  }
  /// Ends a record that began at `start` and has a body of so many words.
  CHANNELS_GPU_INLINE void close_record(record_kind kind, std::uint32_t task, std::uint32_t start,
                                        std::uint32_t body, const destination& to,
                                        std::uint32_t point) {
    std::uint32_t end = start + body;
    if (to.place == 0) {
      stack.store(end, to.address);
      end += 2;
    }
    stack[end] = record_head(kind, task, to.place == 0 ? 0 : start - to.place, point).word();
    stack.resize(end + 1);
  }

  CHANNELS_GPU_INLINE void push_next() {
    Set::with(next_task, [&]<class Task>(Task*) {
      constexpr std::uint32_t words = Set::template child_words<Task>;
      const std::uint32_t start = stack.size();
      CHANNELS_GPU_UNROLL
      for (std::uint32_t i = 0; i < words; ++i) stack[start + i] = next_arguments[i];
      close_record(record_kind::child, next_task, start, words, next_to, 0);
    });
    ++waiting;
  }
  /// The child on top of the stack, whose head is `h`, becomes the next one.
  CHANNELS_GPU_INLINE void pop_next(record_head h) {
    Set::with(h.task(), [&]<class Task>(Task*) {
      constexpr std::uint32_t words = Set::template child_words<Task>;
      const std::uint32_t start = stack.size() - words - h.tail();
      CHANNELS_GPU_UNROLL
      for (std::uint32_t i = 0; i < words; ++i) next_arguments[i] = stack[start + i];
      next_to = destination_of(h, start, words);
      stack.resize(start);
    });
    next_task = h.task();
    --waiting;
  }

  template <class T>
  CHANNELS_GPU_INLINE void deliver(const destination& to, const T& value) const {
    if (to.place != 0) {
      stack.store(to.place, value);
    } else {
      *static_cast<T*>(to.address) = value;
    }
  }

  /// Memory for another stack: this lane's is empty, and stays where it is for whoever needs it.
  CHANNELS_GPU_INLINE void move_to_region(std::uint32_t to) {
    region = to;
    stack.start_anew(region_at(to));
    frames = frames_of(to);
    waiting = 0;
    level = 0;
  }
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t* region_at(std::uint32_t which) const {
    return run.stacks + std::size_t{which} * run.stack_words;
  }
  [[nodiscard]] CHANNELS_GPU_INLINE std::byte* frames_of(std::uint32_t which) const {
    return run.frames + which * run.frame_bytes;
  }
  CHANNELS_GPU_INLINE void give_back_region() const { return_number(run.free_regions, region); }

  /// True as often as the settings say that room is denied.
  CHANNELS_GPU_INLINE bool denied() {
    if (run.force_yield == 0) return false;
    random = random * 1664525U + 1013904223U;
    return (random ^ random >> 16U) * 2654435769U < run.force_yield;
  }

  /// Sends all wavefronts home.
  CHANNELS_GPU_FUNCTION static void end_run(const mailbox* boxes, std::uint32_t waves) {
    for (std::uint32_t i = 0; i < waves; ++i) {
      // Relaxed: nobody reads what the others wrote, but the host, when the kernel has ended.
      gpu::detail::store<order::relaxed>(const_cast<std::uint64_t*>(&boxes[i].letter), run_is_over);
    }
  }
  CHANNELS_GPU_INLINE void end_run() const { end_run(run.mailboxes, run.waves); }

  CHANNELS_GPU_INLINE void fail(failure why, std::uint32_t task) const {
    control_block& c = *run.control;
    if (compare_exchange<order::relaxed>(&c.failed, std::uint32_t{0},
                                         static_cast<std::uint32_t>(why))) {
      run.host->failed = static_cast<std::uint32_t>(why);
      run.host->where = task;
      run.host->level = level;
    }
    end_run();
  }
};

}  // namespace channels::gpu::detail
