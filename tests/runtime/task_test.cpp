// A task computes what its function computes, however the run goes.

#include <gtest/gtest.h>

#include <array>  // array

#include "tests/support/shapes.hpp"
#include "tests/support/tasks.hpp"

namespace channels::testing {
namespace {

class every_rule_and_width
    : public ::testing::TestWithParam<std::tuple<readiness, unsigned /*units*/>> {
 protected:
  every_rule_and_width() : on(with_units(std::get<1>(GetParam()), std::get<0>(GetParam()))) {}
  runtime on;
};

TEST_P(every_rule_and_width, two_children_return_their_results) {
  for (const int n : {0, 1, 2, 3, 10, 18, 22}) EXPECT_EQ(call<fib>(on, {n}), fib::serial(n));
}

TEST_P(every_rule_and_width, tasks_recur_through_each_other_and_sync_twice) {
  for (const int n : {0, 1, 2, 5, 13, 14}) {
    EXPECT_EQ(call<male>(on, {n}), male::serial(n));
    EXPECT_EQ(call<female>(on, {n}), female::serial(n));
  }
}

TEST_P(every_rule_and_width, spawns_in_a_loop_and_again_after_a_sync_are_all_run) {
  EXPECT_EQ(call<tree>(on, {0, 0}), 1);
  EXPECT_EQ(call<tree>(on, {3, 0}), 1) << "syncs without children";
  EXPECT_EQ(call<tree>(on, {1, 1}), 3);
  EXPECT_EQ(call<tree>(on, {3, 12}), tree::serial(3, 12));
  EXPECT_EQ(call<tree>(on, {9, 1}), tree::serial(9, 1));
}

TEST_P(every_rule_and_width, void_tasks_end_before_the_call_returns) {
  for (const int depth : {0, 1, 4, 8}) {
    std::atomic<long> count{0};
    call<leaves>(on, {depth, &count});
    long expected = 1;
    for (int i = 0; i < depth; ++i) expected *= 3;
    EXPECT_EQ(count.load(), expected);
  }
}

TEST_P(every_rule_and_width, statistics_count_every_task_once) {
  EXPECT_EQ(call<fib>(on, {16}), fib::serial(16));
  const long leaves_of_16 = fib::serial(17);
  const statistics& s = on.last_run();
  EXPECT_EQ(s.work.tasks, static_cast<std::uint64_t>(2 * leaves_of_16 - 1));
  EXPECT_EQ(s.work.resumed, static_cast<std::uint64_t>(leaves_of_16 - 1));
  EXPECT_EQ(s.compute_units, std::get<1>(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(rules_and_units, every_rule_and_width,
                         ::testing::Combine(::testing::Values(readiness::levelized,
                                                              readiness::counted),
                                            ::testing::Values(1U, 2U, 4U)),
                         [](const auto& given) {
                           return (std::get<0>(given.param) == readiness::counted ? "counted_"
                                                                                  : "levelized_") +
                                  std::to_string(std::get<1>(given.param)) + "_units";
                         });

TEST(task, has_no_atomics_on_join_counts_under_the_levelized_rule_or_on_one_unit) {
  runtime levelized(with_units(4, readiness::levelized));
  (void)call<fib>(levelized, {15});
  EXPECT_EQ(levelized.last_run().work.join_atomics, 0U);
  runtime alone(with_units(1, readiness::counted));
  (void)call<fib>(alone, {15});
  EXPECT_EQ(alone.last_run().work.join_atomics, 0U);
  runtime counted(with_units(2, readiness::counted));
  (void)call<fib>(counted, {15});
  EXPECT_GT(counted.last_run().work.join_atomics, 0U);
}

struct wide_result {
  std::array<long, 20> values;
};

/// Results, arguments and frames larger than a cache line, and no child at all.
struct wide {
  static constexpr const char* name = "wide";
  using result_type = wide_result;
  using arguments = wide_result;
  struct frame {};
  using spawns = task_list<>;
  static constexpr std::uint32_t spawn_bound = 0;
  template <class Lane>
  static outcome enter(Lane& lane, const arguments& a) {
    wide_result r = a;
    for (long& v : r.values) v *= 2;
    return lane.finish(r);
  }
  template <class Lane>
  static outcome resume(Lane& lane, frame& /*f*/, std::uint32_t /*point*/) {
    return lane.finish(wide_result{});
  }
};

TEST(task, may_spawn_nothing_and_return_a_large_record) {
  runtime on(with_units(2));
  wide_result in{};
  for (std::size_t i = 0; i < in.values.size(); ++i) in.values[i] = static_cast<long>(i);
  const wide_result out = call<wide>(on, in);
  for (std::size_t i = 0; i < in.values.size(); ++i) EXPECT_EQ(out.values[i], 2 * in.values[i]);
}

// A task has plain arguments, a plain frame and a plain result: anything else does not compile.
struct unknown_children : wide {
  using spawns = void;
  static constexpr const char* spawn_bound = "many";
};
struct owning_arguments : wide {
  using arguments = std::vector<int>;
};
struct owning_result : wide {
  using result_type = std::string;
};
static_assert(task<fib> && task<leaves> && task<wide>);
static_assert(!task<unknown_children> && !task<owning_arguments> && !task<owning_result> &&
              !task<int>);

}  // namespace
}  // namespace channels::testing
