// Yields: where there is no room, or where the settings pretend that there is none.

#include <gtest/gtest.h>

#include <array>   // array
#include <memory>  // make_unique
#include <thread>  // sleep_for

#include "channels/graph.hpp"
#include "tests/support/shapes.hpp"
#include "tests/support/tasks.hpp"

namespace channels::testing {
namespace {

TEST(yields, change_nothing_but_the_time_whatever_the_settings) {
  for_each_seed(scaled(150), [](std::uint64_t seed) {
    dice d(seed);
    runtime on(random_shape(d));
    SCOPED_TRACE(::testing::Message() << on.options());
    const int n = d.from(0, 16);
    EXPECT_EQ(call<fib>(on, {n}), fib::serial(n));
    const int depth = d.from(0, 4);
    const int width = d.from(0, depth > 3 ? 3 : 7);
    EXPECT_EQ(call<tree>(on, {depth, width}), tree::serial(depth, width));
    const int m = d.from(0, 11);
    EXPECT_EQ(call<male>(on, {m}), male::serial(m));
    std::atomic<long> count{0};
    call<leaves>(on, {3, &count});
    EXPECT_EQ(count.load(), 27);
  });
}

class each_rule : public ::testing::TestWithParam<readiness> {};

TEST_P(each_rule, a_task_that_reserves_first_is_retried_and_has_done_nothing) {
  settings s = with_units(2, GetParam());
  s.force_yield = 0.5;
  runtime on(s);
  EXPECT_EQ(call<fib>(on, {15}), fib::serial(15));
  EXPECT_GT(on.last_run().work.retries, 0U);
  EXPECT_EQ(on.last_run().work.yields, 0U) << "no frame stops in the middle";
  const auto tasks = static_cast<std::uint64_t>(2 * fib::serial(16) - 1);
  EXPECT_EQ(on.last_run().work.tasks, tasks) << "a retry is not counted as a task";
}

TEST_P(each_rule, a_task_that_spawns_in_a_loop_stops_and_goes_on_where_it_was) {
  settings s = with_units(2, GetParam());
  s.force_yield = 0.5;
  runtime on(s);
  EXPECT_EQ(call<tree>(on, {3, 9}), tree::serial(3, 9));
  EXPECT_GT(on.last_run().work.yields, 0U);
  EXPECT_GT(on.last_run().restarts, 0U);
}

TEST_P(each_rule, channels_of_four_elements_are_enough) {
  for (const unsigned units : {1U, 2U, 4U}) {
    settings s = with_units(units, GetParam());
    s.capacity = 4;
    runtime on(s);
    EXPECT_EQ(call<fib>(on, {14}), fib::serial(14));
    EXPECT_EQ(call<tree>(on, {2, 12}), tree::serial(2, 12));
    EXPECT_EQ(call<female>(on, {11}), female::serial(11));
  }
}

TEST_P(each_rule, the_same_seed_refuses_the_same_reservations) {
  settings s = with_units(1, GetParam());
  s.force_yield = 0.3;
  const auto counted_with = [&](std::uint64_t seed) {
    s.seed = seed;
    runtime on(s);
    (void)call<tree>(on, {3, 8});
    const statistics& c = on.last_run();
    return std::tuple(c.work.yields, c.work.retries, c.work.blocks, c.restarts);
  };
  EXPECT_EQ(counted_with(7), counted_with(7));
  EXPECT_NE(counted_with(7), counted_with(8));
}

INSTANTIATE_TEST_SUITE_P(rules, each_rule,
                         ::testing::Values(readiness::levelized, readiness::counted),
                         [](const auto& given) {
                           return given.param == readiness::counted ? "counted" : "levelized";
                         });

/// Lanes leave more restart contexts than lanes are in flight at any one time, while one lane that
/// has left its own holds their channel back.
TEST(yields, of_many_batches_wait_for_a_slow_one_without_loss) {
  // In a plain graph, since there a body decides when to retry.
  settings s = with_units(2);
  s.batch = 64;
  runtime on(s);
  // 256 restart contexts at most, and 4000 elements that retry once while the second sleeps.
  struct state {
    std::array<std::atomic<bool>, 4000> tried{};
    std::atomic<int> done{0};
  };
  const auto shared = std::make_unique<state>();
  channels::graph g(on, "many retries");
  const auto in = g.channel<int>("in", 4096);
  g.kernel(
      "node", in,
      [](auto& lane, int i, state* st) {
        if (!st->tried[static_cast<std::size_t>(i)].exchange(true)) {
          if (i == 1) std::this_thread::sleep_for(std::chrono::milliseconds(300));
          return lane.retry();
        }
        st->done.fetch_add(1);
        return lane.done();
      },
      shared.get());
  for (int i = 0; i < 4000; ++i) g.push(in, i);
  g.execute();
  EXPECT_TRUE(g.wait());
  EXPECT_EQ(shared->done.load(), 4000);
}

TEST_P(each_rule, a_channel_grows_for_a_task_that_spawns_many_children_in_a_loop) {
  runtime on(with_units(2, GetParam()));
  std::atomic<long> count{0};
  call<wide>(on, {100'000, &count});
  EXPECT_EQ(count.load(), 100'000);
  // A tenth of these if the channel has room for all; 25,000 yields if it stays at four elements.
  EXPECT_LT(on.last_run().work.yields, 1000U);
}

}  // namespace
}  // namespace channels::testing
