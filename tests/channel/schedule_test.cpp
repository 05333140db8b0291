// Schedules that a seed decides, one thread at a time; each seed can be replayed.

#include <gtest/gtest.h>

#include "tests/channel/seed.hpp"
#include "tests/channel/simulation.hpp"

namespace channels::testing {
namespace {

#if defined(__SANITIZE_THREAD__)
constexpr int slower = 10;
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
constexpr int slower = 10;
#else
constexpr int slower = 1;
#endif
#else
constexpr int slower = 1;
#endif

TEST(schedule, nothing_is_lost_duplicated_or_overwritten) {
  for_each_seed(600 / slower, [](std::uint64_t seed) {
    dice d(seed);
    const auto shape = simulation::shape::random(d);
    SCOPED_TRACE(::testing::Message() << shape);
    simulation(seed, shape).run();
  });
}

/// Each thread in turn stops at its first step, at its second, and so on to its last.
void stop_everywhere(std::uint64_t seed, const simulation::shape& shape) {
  for (std::size_t thread = 0; thread < shape.threads(); ++thread) {
    bool reached = true;
    for (std::uint64_t step = 0; reached && !::testing::Test::HasFailure(); ++step) {
      SCOPED_TRACE(::testing::Message()
                   << shape << "; thread " << thread << " stops at step " << step);
      reached = simulation(seed, shape, schedule::stop{thread, step}).run();
    }
  }
}

TEST(schedule, who_stops_at_any_step_holds_up_no_other) {
  for_each_seed(slower == 1 ? 6 : 1, [](std::uint64_t seed) {
    dice d(seed);
    auto shape = simulation::shape::random(d);
    shape.capacity = std::min(shape.capacity, 4U);
    shape.words_each = 4 * shape.capacity / shape.producers + 2;
    stop_everywhere(seed, shape);
  });
}

// What a thread has read before it slept is several laps of the control array old when it goes on.
TEST(schedule, who_sleeps_through_many_laps_of_the_smallest_channels_breaks_nothing) {
  for_each_seed(1, [](std::uint64_t seed) {
    stop_everywhere(seed, {.capacity = 1,
                           .group = 1,
                           .producers = 2,
                           .consumers = 2,
                           .words_each = 8,
                           .walk = false});
    if (slower != 1) return;  // minutes
    stop_everywhere(seed, {.capacity = 2,
                           .group = 2,
                           .producers = 2,
                           .consumers = 2,
                           .words_each = 12,
                           .walk = false});
  });
}

}  // namespace
}  // namespace channels::testing
