#pragma once

#include <array>    // array
#include <atomic>   // atomic, atomic_thread_fence
#include <bit>      // has_single_bit
#include <cassert>  // assert
#include <cstdint>  // fixed-width integers
#include <memory>   // unique_ptr
#include <vector>   // vector

namespace channels::detail {

/// What a trace keeps of one event. Times are ticks.
struct trace_event {
  enum class type : std::uint8_t {
    slice,    ///< something that took from `start` to `start + duration`
    instant,  ///< something that happened at `start`
    counter,  ///< a value, the first argument, from `start` on
    phases,   ///< the aggregator's phases, one after the other: ticks of each
  };

  std::uint64_t start = 0;
  std::uint64_t duration = 0;  ///< at most 2^56
  type what = type::slice;
  std::uint32_t label = 0;  ///< `trace_session::label`
  std::array<std::uint32_t, 7> arguments{};
};

/// The newest events of one thread, in a ring: bounded, and as cheap as seven stores. One thread
/// writes at a time; any thread may read.
class trace_track {
 public:
  /// `capacity`: events, a power of two. Memory is taken with the first event, and touched as it
  /// is filled.
  explicit trace_track(std::uint32_t capacity) : capacity_(capacity) {
    assert(std::has_single_bit(capacity));
  }
  trace_track(const trace_track&) = delete;
  trace_track& operator=(const trace_track&) = delete;
  ~trace_track() = default;

  void put(const trace_event& e) {
    if (memory_ == nullptr) take_memory();
    // Relaxed: only this thread writes it.
    const std::uint64_t n = count_.load(std::memory_order_relaxed);
    std::uint64_t* const to = memory_.get() + words * (n & (capacity_ - 1));
    // Announced before it is touched: a reader then leaves this slot's old event out. The fence
    // keeps the stores below behind the announcement.
    begun_.store(n + 1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    store(to, e.start);
    store(to + 1, e.duration << 8U | static_cast<std::uint64_t>(e.what));
    store(to + 2, std::uint64_t{e.label} << 32U | e.arguments[0]);
    for (std::size_t i = 0; i < 3; ++i) {
      store(to + 3 + i, std::uint64_t{e.arguments[2 * i + 1]} << 32U | e.arguments[2 * i + 2]);
    }
    // Release: who sees the count sees the event.
    count_.store(n + 1, std::memory_order_release);
  }

  /// The events that are left, oldest first, as of now.
  [[nodiscard]] std::vector<trace_event> events() const;
  /// Events that were put, in all.
  [[nodiscard]] std::uint64_t count() const { return count_.load(std::memory_order_acquire); }

 private:
  static constexpr std::size_t words = 6;

  // Relaxed: what a reader may trust is told by the counts around it.
  static void store(std::uint64_t* to, std::uint64_t value) {
    __atomic_store_n(to, value, __ATOMIC_RELAXED);
  }
  void take_memory();

  std::uint32_t capacity_;
  std::unique_ptr<std::uint64_t[]> memory_;  // NOLINT(modernize-avoid-c-arrays): not touched before
  std::atomic<std::uint64_t> begun_{0};
  std::atomic<std::uint64_t> count_{0};
};

}  // namespace channels::detail
