// Every device's lane offers what lane.hpp says, and tasks need nothing else.
#define CHANNELS_GPU_EMULATED

#include <gtest/gtest.h>

#include "channels/depth_first.hpp"
#include "channels/gpu/channels/task_lane.hpp"
#include "channels/gpu/scheduler/lane_private/lane.hpp"
#include "channels/gpu/scheduler/leaf_lane.hpp"
#include "channels/gpu/scheduler/pooled/lane.hpp"
#include "channels/gpu/scheduler/summing/lane.hpp"
#include "channels/host/task_lane.hpp"
#include "channels/lane.hpp"
#include "tests/support/lane_archetype.hpp"
#include "tests/support/tasks.hpp"

namespace channels::testing {
namespace {

template <class Task, template <class, readiness> class Lane>
constexpr bool is_lane_of_both_rules =
    lane<Lane<Task, readiness::levelized>, Task> && lane<Lane<Task, readiness::counted>, Task>;
template <class Task, template <class, class> class Lane>
constexpr bool is_lane_of_scheduler =
    lane<Lane<gpu::detail::task_set<task_list<Task>>, Task>, Task>;

/// Lanes for any task.
template <class... Tasks>
constexpr bool all_have_lanes =
    ((is_lane_of_both_rules<Tasks, host::task_lane> &&
      lane<detail::depth_first_lane<Tasks>, Tasks> &&
      is_lane_of_both_rules<Tasks, gpu::detail::channel_lane> &&
      is_lane_of_scheduler<Tasks, gpu::detail::pooled_lane> &&
      lane<gpu::detail::leaf_lane<Tasks>, Tasks> && lane<lane_archetype<Tasks>, Tasks>) &&
     ...);
static_assert(all_have_lanes<fib, chain, male, female, tree, leaves, alloca_queens>);

/// Lanes for tasks that do not allocate.
template <class... Tasks>
constexpr bool all_have_lanes_without_memory =
    ((is_lane_of_scheduler<Tasks, gpu::detail::lane_private_lane> &&
      is_lane_of_scheduler<Tasks, gpu::detail::summing_lane>) &&
     ...);
static_assert(all_have_lanes_without_memory<fib, chain, male, tree, leaves>);
static_assert(!lane<int, fib>);
static_assert(!lane<lane_archetype<chain>, alloca_queens>, "it does not allocate");

TEST(lane, gives_a_task_no_frame_without_room_for_its_children) {
  lane_archetype<fib> one(1);
  EXPECT_EQ(fib::enter(one, {5}), outcome::retry);
  EXPECT_EQ(one.spawned, 0U) << "nothing may have happened";
  lane_archetype<leaves> two(2);
  EXPECT_EQ(leaves::enter(two, {1, nullptr}), outcome::retry);
}

TEST(lane, takes_a_task_from_its_entry_to_its_end) {
  lane_archetype<fib> lane(2);
  EXPECT_EQ(fib::enter(lane, {5}), outcome::suspended);
  EXPECT_EQ(lane.spawned, 2U);
  lane.frame() = {3, 2};
  EXPECT_EQ(fib::resume(lane, lane.frame(), lane.stopped_at), outcome::finished);
  EXPECT_EQ(lane.result, 5);
}

TEST(lane, is_given_up_where_a_spawn_without_a_bound_finds_no_room) {
  lane_archetype<tree> lane(2);
  EXPECT_EQ(tree::enter(lane, {1, 3}), outcome::yielded);
  EXPECT_EQ(lane.spawned, 2U);
  EXPECT_EQ(lane.frame().next, 2) << "the frame says where the task goes on";
  lane_archetype<male> none(0);
  male::frame after_inner{1, 0, 0};
  EXPECT_EQ(male::resume(none, after_inner, 1), outcome::yielded);
}

TEST(lane, is_given_up_where_there_is_no_memory) {
  lane_archetype<alloca_queens> lane(64);
  EXPECT_EQ(alloca_queens::enter(lane, {8, 0, nullptr}), outcome::suspended);
  EXPECT_EQ(lane.spawned, 8U);
  EXPECT_EQ(alloca_queens::enter(lane, {1000, 0, nullptr}), outcome::yielded);
}

}  // namespace
}  // namespace channels::testing
