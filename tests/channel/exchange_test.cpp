// Threads that run freely, with and without random delays at the steps of the protocol.

#include "tests/channel/exchange.hpp"

#include <gtest/gtest.h>

namespace channels::testing {
namespace {

// 100,000 elements through two places: the control array of four wraps ten thousand times and more.
TEST(exchange, control_array_wraps_many_times_over) {
  exchange<channel_protocol, record>(1, {.capacity = 2,
                                         .done_group = 1,
                                         .producers = 2,
                                         .consumers = 2,
                                         .longest_run = 2,
                                         .elements = 50'000});
}

TEST(exchange, every_capacity_from_one_up_works) {
  for_each_seed(1, [](std::uint64_t seed) {
    for (std::uint32_t capacity = 1; capacity <= 256; capacity *= 2) {
      for (std::uint32_t group = 1; group <= capacity; group *= 4) {
        SCOPED_TRACE(::testing::Message() << "capacity " << capacity << ", done group " << group);
        exchange<channel_protocol, record>(seed, {.capacity = capacity,
                                                  .done_group = group,
                                                  .producers = 2,
                                                  .consumers = 2,
                                                  .longest_run = capacity,
                                                  .elements = 1500});
      }
    }
  });
}

TEST(exchange, delays_at_any_step_lose_and_duplicate_nothing) {
  for_each_seed(100, [](std::uint64_t seed) {
    delayed_protocol::seed = seed;
    dice d(seed);
    const exchange_shape shape{.capacity = d.power_of_two(0, 6),
                               .done_group = d.power_of_two(0, 6),
                               .producers = d.from(1U, 4U),
                               .consumers = d.from(1U, 3U),
                               .longest_run = d.from(1U, 64U),
                               .elements = 1000};
    exchange<delayed_protocol, record>(seed, shape);
    exchange<delayed_protocol, fielded>(seed, shape);
  });
}

TEST(exchange, large_blocks_go_through_whole) {
  exchange<channel_protocol, fielded>(2, {.capacity = 4096,
                                          .done_group = 64,
                                          .producers = 2,
                                          .consumers = 1,
                                          .longest_run = 1024,
                                          .elements = 100'000});
}

}  // namespace
}  // namespace channels::testing
