#pragma once

#include <algorithm>  // min
#include <array>      // array
#include <atomic>     // atomic, atomic_thread_fence
#include <bit>        // has_single_bit
#include <cassert>    // assert
#include <cstdint>    // fixed-width integers
#include <memory>     // unique_ptr
#include <vector>     // vector

#include "channels/config.hpp"

namespace channels::detail {

/// An event of a trace. Times are ticks.
struct trace_event {
  enum class type : std::uint8_t {
    slice,     ///< something that took from `start` to `start + duration`
    instant,   ///< something that happened at `start`
    counters,  ///< values from `start` on: see `counter`
    phases,    ///< the aggregator's phases, one after the other: see `phase_argument`
  };

  std::uint64_t start = 0;
  std::uint64_t duration = 0;
  type what = type::slice;
  std::uint32_t label = 0;  ///< `trace_session::label`, below 2^24
  std::array<std::uint32_t, 7> arguments{};
};

/// `n` for an argument of an event: the largest that there is, if it is larger.
[[nodiscard]] constexpr std::uint32_t narrow(std::uint64_t n) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(n, ~std::uint32_t{0}));
}

/// Many counters change at a time, so an event has as many of them as fit a slot.
inline constexpr std::size_t counters_of_an_event = 3;
inline constexpr std::uint32_t no_label = (1U << 24U) - 1;

struct labelled_value {
  std::uint32_t label = no_label;  ///< none: there is no such counter
  std::uint32_t value = 0;
};

[[nodiscard]] inline labelled_value counter(const trace_event& e, std::size_t which) {
  if (which == 0) return {e.label, static_cast<std::uint32_t>(e.duration)};
  return {e.arguments[2 * which - 2], e.arguments[2 * which - 1]};
}
inline void set_counter(trace_event& e, std::size_t which, labelled_value to) {
  if (which == 0) {
    e.label = to.label;
    e.duration = to.value;
  } else {
    e.arguments[2 * which - 2] = to.label;
    e.arguments[2 * which - 1] = to.value;
  }
}

/// The newest events of one thread, in a ring. The cost of a trace is mostly that of the memory
/// that it writes, so an event takes one slot of 32 bytes. It takes two if it took 2^32 ticks or
/// longer, or if an argument after the fourth is not 0. One thread writes at a time; any thread may
/// read.
class alignas(cache_line) trace_track {  // threads do not share lines with their counts
 public:
  /// `capacity`: slots, a power of two. The first event allocates the memory, and events touch it
  /// as they fill it.
  explicit trace_track(std::uint32_t capacity) : capacity_(capacity) {
    assert(std::has_single_bit(capacity));
  }
  trace_track(const trace_track&) = delete;
  trace_track& operator=(const trace_track&) = delete;
  ~trace_track() = default;

  void put(const trace_event& e) {
    // Without memory there are no events, and the program goes on.
    if (memory_ == nullptr && !take_memory()) return;
    const std::uint64_t over = e.duration >> 32U;
    const bool two = (over | e.arguments[4] | e.arguments[5] | e.arguments[6]) != 0;
    // Relaxed, both: only this thread writes them.
    const std::uint64_t n = slots_.load(std::memory_order_relaxed);
    const std::uint64_t next = n + (two ? 2 : 1);
    events_.store(events_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    // Announced before the slots are written, so that a reader leaves out what they held. The fence
    // orders the stores below after the announcement.
    begun_.store(next, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    store(n,
          {e.start, (e.duration & low_half) << 32U | e.label << 8U | static_cast<unsigned>(e.what),
           pair(e.arguments[0], e.arguments[1]), pair(e.arguments[2], e.arguments[3])});
    if (two) {
      store(n + 1, {over, rest_of_an_event, pair(e.arguments[4], e.arguments[5]), e.arguments[6]});
    }
    // Release: a reader that sees this count sees the event.
    slots_.store(next, std::memory_order_release);
  }

  /// The events that the ring has now, oldest first.
  [[nodiscard]] std::vector<trace_event> events() const;
  /// How many events were put so far; not fewer than `events` returned before.
  [[nodiscard]] std::uint64_t count() const {
    // Relaxed: a reader of events has acquired `slots_`, which is stored after this.
    return events_.load(std::memory_order_relaxed);
  }

 private:
  static constexpr std::size_t words = 4;  ///< of a slot
  static constexpr std::uint64_t low_half = ~std::uint32_t{0};

  /// Marks the second slot of an event, in the byte where first slots have the event's type.
  static constexpr std::uint64_t rest_of_an_event = 0x80;

  static std::uint64_t pair(std::uint32_t high, std::uint32_t low) {
    return std::uint64_t{high} << 32U | low;
  }
  [[nodiscard]] std::uint64_t* slot(std::uint64_t n) const {
    return memory_.get() + words * (n & (capacity_ - 1));
  }
  // Relaxed, both: the counts tell a reader which slots are valid.
  void store(std::uint64_t n, const std::array<std::uint64_t, words>& from) {
    std::uint64_t* const to = slot(n);
    for (std::size_t i = 0; i < words; ++i) __atomic_store_n(to + i, from[i], __ATOMIC_RELAXED);
  }
  [[nodiscard]] std::array<std::uint64_t, words> load(std::uint64_t n) const {
    std::array<std::uint64_t, words> to;
    const std::uint64_t* const from = slot(n);
    for (std::size_t i = 0; i < words; ++i) to[i] = __atomic_load_n(from + i, __ATOMIC_RELAXED);
    return to;
  }
  bool take_memory();

  std::uint32_t capacity_;
  std::unique_ptr<std::uint64_t[]> memory_;  // NOLINT(modernize-avoid-c-arrays): not touched before
  std::atomic<std::uint64_t> begun_{0};      ///< slots that a writer has begun
  std::atomic<std::uint64_t> slots_{0};      ///< slots written
  std::atomic<std::uint64_t> events_{0};     ///< events in them
};

}  // namespace channels::detail
