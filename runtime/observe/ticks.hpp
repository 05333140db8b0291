#pragma once

#include <atomic>   // atomic
#include <chrono>   // steady_clock
#include <cstdint>  // fixed-width integers

#if defined(__x86_64__)
#include <x86intrin.h>  // __rdtsc
#endif

/// The clock for events. A batch that takes microseconds has several events, so the clock has to be
/// cheap: it is the processor's counter where the system says that it is steady, which takes less
/// than half of the time of the steady clock.
namespace channels::detail {

enum class tick_source : std::uint8_t { unknown, counter, clock };

/// Where `ticks` come from; `find_tick_source` sets it once.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): of the machine
extern std::atomic<tick_source> ticks_from;
[[nodiscard]] tick_source find_tick_source();

[[nodiscard]] inline std::uint64_t steady_ns() {
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                        std::chrono::steady_clock::now().time_since_epoch())
                                        .count());
}

/// The time now, in ticks. They grow evenly and are the same on all cores; `tick_scale` turns them
/// into nanoseconds.
[[nodiscard]] inline std::uint64_t ticks() {
#if defined(__x86_64__)
  // Relaxed: every thread finds the same.
  tick_source from = ticks_from.load(std::memory_order_relaxed);
  if (from == tick_source::unknown) from = find_tick_source();
  if (from == tick_source::counter) return __rdtsc();
#endif
  return steady_ns();
}

/// Turns ticks into nanoseconds: the same moments into the same nanoseconds for one scale.
class tick_scale {
 public:
  /// Compares with the steady clock since the first use of `ticks`: a longer time gives a more
  /// exact scale. Waits until 2 ms have passed.
  tick_scale();

  /// The moment `at` in nanoseconds of the steady clock.
  [[nodiscard]] std::uint64_t moment(std::uint64_t at) const {
    return at >= first_ ? first_ns_ + duration(at - first_) : first_ns_ - duration(first_ - at);
  }
  [[nodiscard]] std::uint64_t duration(std::uint64_t ticks) const {
    return static_cast<std::uint64_t>(static_cast<double>(ticks) * ns_per_tick_);
  }

 private:
  std::uint64_t first_ = 0;
  std::uint64_t first_ns_ = 0;
  double ns_per_tick_ = 1;
};

}  // namespace channels::detail
