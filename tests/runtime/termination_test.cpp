// The end of a run is seen in time: never early, when results are missing; and never late, since
// thousands of tiny runs would take long.

#include <gtest/gtest.h>

#include "channels/graph.hpp"
#include "tests/support/shapes.hpp"
#include "tests/support/tasks.hpp"

namespace channels::testing {
namespace {

using clock = std::chrono::steady_clock;

class termination : public ::testing::TestWithParam<std::tuple<readiness, unsigned>> {
 protected:
  termination() : on(with_units(std::get<1>(GetParam()), std::get<0>(GetParam()))) {}
  runtime on;
};

TEST_P(termination, of_thousands_of_tiny_runs_is_exact) {
  for (int i = 0; i < scaled(600); ++i) {
    const int n = i % 9;
    ASSERT_EQ(call<fib>(on, {n}), fib::serial(n)) << "run " << i;
    ASSERT_EQ(on.last_run().work.tasks, static_cast<std::uint64_t>(2 * fib::serial(n + 1) - 1))
        << "run " << i;
  }
}

TEST_P(termination, waits_for_every_task_that_nobody_else_waits_for) {
  for (int i = 0; i < scaled(300); ++i) {
    std::atomic<long> count{0};
    call<leaves>(on, {2, &count});
    ASSERT_EQ(count.load(), 9) << "run " << i;
  }
}

TEST_P(termination, waits_for_the_last_stage_of_a_pipeline) {
  graph g(on, "pipeline");
  const auto first = g.channel<int>("first", 8);
  const auto second = g.channel<int>("second", 4);
  const auto third = g.channel<int>("third", 4);
  const auto sum = g.accumulator<long>();
  const auto hand_on = [](auto& lane, int i, auto& next) {
    return next.try_push(i) != nullptr ? lane.done() : lane.retry();
  };
  g.kernel("first", first, hand_on, second);
  g.kernel("second", second, hand_on, third);
  g.kernel("third", third, [](auto& /*lane*/, int i, long& s) { s += i; }, sum);
  for (int i = 0; i < scaled(300); ++i) {
    for (int k = 0; k <= i % 20; ++k) g.push(first, k);
    g.execute();
    ASSERT_TRUE(g.wait());
    ASSERT_EQ(sum.value(), (i % 20) * (i % 20 + 1) / 2) << "run " << i;
  }
}

TEST_P(termination, is_not_late) {
  (void)call<fib>(on, {5});
  auto fastest = clock::duration::max();
  for (int i = 0; i < scaled(200); ++i) {
    const auto begin = clock::now();
    (void)call<fib>(on, {3});
    fastest = std::min(fastest, clock::now() - begin);
  }
  // A run takes some 30 us where nothing else runs. The fastest of many shows a wait that sleeps,
  // or that looks only now and then.
  EXPECT_LT(fastest, slower * std::chrono::milliseconds(20));
}

INSTANTIATE_TEST_SUITE_P(rules_and_units, termination,
                         ::testing::Combine(::testing::Values(readiness::levelized,
                                                              readiness::counted),
                                            ::testing::Values(1U, 2U, 4U)),
                         [](const auto& given) {
                           return (std::get<0>(given.param) == readiness::counted ? "counted_"
                                                                                  : "levelized_") +
                                  std::to_string(std::get<1>(given.param)) + "_units";
                         });

TEST(termination_under_random_settings, is_exact) {
  for_each_seed(scaled(100), [](std::uint64_t seed) {
    dice d(seed);
    runtime on(random_shape(d));
    SCOPED_TRACE(::testing::Message() << on.options());
    for (int i = 0; i < 10; ++i) {
      const int n = d.from(0, 10);
      EXPECT_EQ(call<fib>(on, {n}), fib::serial(n));
      EXPECT_EQ(on.last_run().work.tasks, static_cast<std::uint64_t>(2 * fib::serial(n + 1) - 1));
    }
  });
}

}  // namespace
}  // namespace channels::testing
