#include <gtest/gtest.h>

#include <string>  // string
#include <vector>  // vector

#include "channels/scheduling.hpp"

namespace channels {
namespace {

using candidates = std::vector<candidate>;

TEST(bounded_breadth_first, takes_the_largest_batch_that_has_room) {
  const auto policy = bounded_breadth_first();
  const candidates c = {{.level = 1, .ready = 1000, .room = 10},
                        {.level = 2, .ready = 50, .room = 50},
                        {.level = 3, .ready = 20, .room = 20}};
  EXPECT_EQ(policy->choose(c), 1U);
}

TEST(bounded_breadth_first, takes_of_equals_the_deepest) {
  const auto policy = bounded_breadth_first();
  const candidates c = {{.level = 4, .ready = 64, .room = 64},
                        {.level = 9, .ready = 64, .room = 64},
                        {.level = 6, .ready = 64, .room = 64}};
  EXPECT_EQ(policy->choose(c), 1U);
}

TEST(bounded_breadth_first, takes_of_equals_on_a_level_the_frames_for_they_free_space) {
  const auto policy = bounded_breadth_first();
  const candidates c = {{.level = 4, .ready = 64, .room = 64},
                        {.level = 4, .ready = 64, .room = 64, .continuation = true},
                        {.level = 4, .ready = 64, .room = 64}};
  EXPECT_EQ(policy->choose(c), 1U);
}

TEST(first_come, takes_the_oldest) {
  const auto policy = first_come();
  const candidates c = {{.ready = 1000, .room = 1000, .arrival = 7},
                        {.ready = 1, .room = 1, .arrival = 3},
                        {.ready = 64, .room = 64, .arrival = 5}};
  EXPECT_EQ(policy->choose(c), 1U);
}

TEST(every_policy, chooses_nothing_of_nothing_and_the_only_one_of_one) {
  for (const auto& policy : {bounded_breadth_first(), first_come()}) {
    EXPECT_FALSE(policy->choose({}));
    const candidates one = {{.level = 3, .ready = 1, .room = 1, .arrival = 9}};
    EXPECT_EQ(policy->choose(one), 0U);
    EXPECT_FALSE(std::string(policy->name()).empty());
  }
  EXPECT_STRNE(bounded_breadth_first()->name(), first_come()->name());
}

}  // namespace
}  // namespace channels
