#include <gtest/gtest.h>

#include <string>  // string
#include <vector>  // vector

#include "channels/scheduling.hpp"
#include "runtime/aggregator/policies.hpp"

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

TEST(level_first, takes_the_level_nearest_to_the_root_however_few_its_elements_are) {
  const auto policy = level_first();
  const candidates c = {{.level = 3, .ready = 1000, .room = 1000},
                        {.level = 2, .ready = 1, .room = 1},
                        {.level = 4, .ready = 50, .room = 50}};
  EXPECT_EQ(policy->choose(c), 1U);
}

TEST(level_first, takes_of_equals_the_frames_and_then_the_most_elements) {
  const auto policy = level_first();
  const candidates frames = {{.level = 2, .ready = 1000, .room = 1000},
                             {.level = 2, .ready = 10, .room = 10, .continuation = true}};
  EXPECT_EQ(policy->choose(frames), 1U);
  const candidates sizes = {{.level = 2, .ready = 10, .room = 10},
                            {.level = 2, .ready = 11, .room = 11},
                            {.level = 2, .ready = 9, .room = 9}};
  EXPECT_EQ(policy->choose(sizes), 1U);
}

TEST(level_first, leaves_what_lacks_room_for_last_and_takes_of_that_the_largest_batch) {
  const auto policy = level_first();
  const candidates some = {{.level = 1, .ready = 1000, .room = 999},
                           {.level = 9, .ready = 1, .room = 1},
                           {.level = 2, .ready = 2000, .room = 1999}};
  EXPECT_EQ(policy->choose(some), 1U);
  const candidates none = {{.level = 1, .ready = 1000, .room = 10},
                           {.level = 2, .ready = 1000, .room = 20},
                           {.level = 3, .ready = 1000, .room = 20},
                           {.level = 4, .ready = 1000, .room = 5}};
  EXPECT_EQ(policy->choose(none), 2U);
}

TEST(level_first, lets_frames_run_although_they_lack_room_for_what_they_may_write) {
  const auto policy = level_first();
  const candidates c = {{.level = 2, .ready = 1000, .room = 1000},
                        {.level = 1, .ready = 1000, .room = 64, .continuation = true}};
  EXPECT_EQ(policy->choose(c), 1U);
}

TEST(level_first, ranks_levels_and_sizes_beyond_its_words) {
  const std::uint32_t deep = ~std::uint32_t{0};
  const std::uint64_t many = ~std::uint64_t{0};
  const auto policy = level_first();
  const candidates c = {{.level = deep, .ready = many, .room = many - 1},
                        {.level = deep, .ready = many, .room = many},
                        {.level = 0, .ready = many, .room = 1}};
  EXPECT_EQ(policy->choose(c), 1U);
}

/// The policy that the settings give to a graph whose channels have levels, or to one without.
std::string chosen_by(policy_choice policy, const char* device, bool levels,
                      readiness rule = readiness::levelized, bool frames = true) {
  settings s;
  s.rule = rule;
  s.policy = policy;
  s.device = device;
  detail::graph_model model;
  model.stacks.resize(2);
  model.stacks[1].levels = levels;
  model.stacks[1].frames = levels && frames;
  return detail::policy_of(s, model)->name();
}

TEST(the_policy_of_the_settings, is_the_one_that_they_name_on_every_device) {
  for (const char* const device : {"host", "cuda", "emulated"}) {
    for (const bool levels : {false, true}) {
      EXPECT_EQ(chosen_by(policy_choice::bounded_breadth_first, device, levels),
                bounded_breadth_first()->name());
      EXPECT_EQ(chosen_by(policy_choice::first_come, device, levels), first_come()->name());
      EXPECT_EQ(chosen_by(policy_choice::level_first, device, levels), level_first()->name());
    }
  }
}

TEST(the_policy_of_the_settings, is_by_itself_by_level_where_there_are_no_frames) {
  for (const char* const device : {"host", "cuda", "emulated"}) {
    EXPECT_EQ(chosen_by(policy_choice::automatic, device, true, readiness::levelized, false),
              level_first()->name());
  }
}

TEST(the_policy_of_the_settings, is_by_itself_by_size_on_the_host_by_level_on_gpus) {
  EXPECT_EQ(chosen_by(policy_choice::automatic, "host", true), bounded_breadth_first()->name());
  EXPECT_EQ(chosen_by(policy_choice::automatic, "host", false), first_come()->name());
  for (const char* const gpu : {"cuda", "hip", "emulated"}) {
    EXPECT_EQ(chosen_by(policy_choice::automatic, gpu, true), level_first()->name());
    EXPECT_EQ(chosen_by(policy_choice::automatic, gpu, false), first_come()->name());
    EXPECT_EQ(chosen_by(policy_choice::automatic, gpu, true, readiness::counted),
              bounded_breadth_first()->name());
  }
}

TEST(every_policy, chooses_nothing_of_nothing_and_the_only_one_of_one) {
  for (const auto& policy : {bounded_breadth_first(), first_come(), level_first()}) {
    EXPECT_FALSE(policy->choose({}));
    const candidates one = {{.level = 3, .ready = 1, .room = 1, .arrival = 9}};
    EXPECT_EQ(policy->choose(one), 0U);
    EXPECT_FALSE(std::string(policy->name()).empty());
  }
  EXPECT_STRNE(bounded_breadth_first()->name(), first_come()->name());
  EXPECT_STRNE(bounded_breadth_first()->name(), level_first()->name());
  EXPECT_STRNE(first_come()->name(), level_first()->name());
}

}  // namespace
}  // namespace channels
