#include <gtest/gtest.h>

#include <algorithm>  // max
#include <cmath>      // abs
#include <random>     // mt19937_64

#include "runtime/observe/device_clock.hpp"
#include "runtime/observe/ticks.hpp"

namespace channels::testing {
namespace {

using detail::device_clock;
using detail::ticks;

/// Must be the first test of its process: whatever reads the time also asks for the tick source.
TEST(device_clock, may_be_made_before_anybody_asks_for_the_time) {
  const device_clock clock;
  EXPECT_FALSE(clock.knows());
}

/// A device whose clock began at another time and runs slightly wrong, and a host that dispatches
/// batches and looks for their ends now and then.
class two_clocks {
 public:
  explicit two_clocks(double drift)
      : drift_(drift),
        ticks_per_ns_(1e9 / static_cast<double>(detail::tick_scale().duration(1'000'000'000))) {}

  /// The time of the host in ticks, `us` microseconds after the start.
  [[nodiscard]] std::uint64_t ticks_at(double us) const {
    return start_ + static_cast<std::uint64_t>(us * 1e3 * ticks_per_ns_);
  }
  [[nodiscard]] std::uint64_t device_at(double us) const {
    return device_start_ + static_cast<std::uint64_t>(us * 1e3 * (1 + drift_));
  }
  /// How far `clock` is off for that moment, in microseconds.
  [[nodiscard]] double error(const device_clock& clock, double us) const {
    return static_cast<double>(
               static_cast<std::int64_t>(clock.ticks_at(device_at(us)) - ticks_at(us))) /
           ticks_per_ns_ / 1e3;
  }

 private:
  double drift_;
  double ticks_per_ns_;
  std::uint64_t start_ = ticks();
  std::uint64_t device_start_ = 1'700'000'000'000'000'000;
};

/// Batches of some microseconds for ten seconds; the ends of some are seen late.
void compare_for_ten_seconds(double drift) {
  std::mt19937_64 random(1);
  const two_clocks both(drift);
  device_clock clock;
  double now = 0;
  double most = 0;
  while (now < 1e7) {
    const double began = now + 4 + static_cast<double>(random() % 3);
    const double ended = began + static_cast<double>(random() % 50);
    const double seen = ended + 1 + (random() % 10 == 0 ? 1000 : static_cast<double>(random() % 3));
    clock.learn(both.ticks_at(now), both.device_at(began), both.device_at(ended),
                both.ticks_at(seen));
    if (now > 1e5) most = std::max(most, std::abs(both.error(clock, began)));
    now = seen + static_cast<double>(random() % 2000);
  }
  EXPECT_LT(most, 10) << "microseconds, with a drift of " << drift;
  // The clock still knows earlier moments at the end.
  for (double us = 2e5; us < 1e7; us += 1e5) EXPECT_LT(std::abs(both.error(clock, us)), 20) << us;
}

TEST(device_clock, stays_within_microseconds_of_one_that_drifts) {
  for (const double drift : {0.0, 20e-6, -20e-6}) compare_for_ten_seconds(drift);
}

TEST(device_clock, finds_out_that_the_device_began_anew) {
  const two_clocks before(0);
  device_clock clock;
  clock.learn(before.ticks_at(0), before.device_at(5), before.device_at(10), before.ticks_at(12));
  // The clock is set back by a second.
  const auto later = [&](double us) { return before.device_at(us) - 1'000'000'000; };
  clock.learn(before.ticks_at(1e6), later(1e6 + 5), later(1e6 + 10), before.ticks_at(1e6 + 12));
  const double off = static_cast<double>(
      static_cast<std::int64_t>(clock.ticks_at(later(1e6 + 10)) - before.ticks_at(1e6 + 10)));
  EXPECT_LT(std::abs(off), static_cast<double>(before.ticks_at(10) - before.ticks_at(0)));
}

}  // namespace
}  // namespace channels::testing
