// Channels without levels: what happens when a node fills the channel that it consumes.

#include <gtest/gtest.h>

#include <atomic>  // atomic
#include <vector>  // vector

#include "channels/graph.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/shapes.hpp"

namespace channels::testing {
namespace {

/// A graph whose elements n > 0 become two of n - 1 in the same channel.
struct doubling {
  doubling(runtime& on, std::uint64_t capacity, std::uint32_t bound = 2)
      : g(on, "doubling"), c(g.channel<int>("numbers", capacity)), leaves(g.accumulator<long>()) {
    g.kernel(
        "double", c,
        [](auto& lane, int n, auto& out, long& sum) {
          if (n == 0) {
            ++sum;
            return lane.done();
          }
          if (!out.reserve(2)) return lane.retry();
          out.push(n - 1);
          out.push(n - 1);
          return lane.done();
        },
        up_to(bound, c), leaves);
  }
  graph g;
  channel_node<int> c;
  accumulator<long> leaves;
};

class plain_channels : public ::testing::TestWithParam<unsigned> {
 protected:
  runtime on{with_units(GetParam())};
};

TEST_P(plain_channels, that_are_nearly_full_let_leaves_go_on_while_others_wait) {
  for (const std::uint32_t bound : {1U, 2U, 100U}) {  // a wrong bound costs time and nothing else
    doubling d(on, 64, bound);
    // The channel is full: elements that need room get it when the leaves before them are gone.
    for (int i = 0; i < 48; ++i) d.g.push(d.c, 0);
    for (int i = 0; i < 16; ++i) d.g.push(d.c, 1);
    d.g.execute();
    ASSERT_TRUE(d.g.wait());
    EXPECT_EQ(d.leaves.value(), 80) << bound;
    EXPECT_EQ(d.g.counted().channels[0].most_in_level, 64U) << bound;
  }
}

TEST_P(plain_channels, that_are_full_of_what_needs_room_end_the_run_with_advice) {
  doubling d(on, 64);
  for (int i = 0; i < 64; ++i) d.g.push(d.c, 3);
  d.g.execute();
  expect_error([&] { d.g.wait(); },
               {"double", "no room", "numbers", "holds 64 of 64", "a larger capacity"});
  // The graph and the runtime can be used again.
  d.g.push(d.c, 3);
  d.g.execute();
  EXPECT_TRUE(d.g.wait());
  EXPECT_EQ(d.leaves.value(), 8);
}

TEST_P(plain_channels, that_can_never_hold_what_a_body_asks_for_end_the_run_with_advice) {
  graph g(on, "too much");
  const auto in = g.channel<int>("in", 8);
  const auto out = g.channel<int>("out", 8);
  g.kernel(
      "greedy", in,
      [](auto& lane, int i, auto& to) {
        if (!to.reserve(9)) return lane.retry();
        to.push(i);
        return lane.done();
      },
      out);
  g.kernel("end", out, [](auto& /*lane*/, int /*i*/) {});
  g.push(in, 1);
  g.execute();
  expect_error([&] { g.wait(); }, {"greedy", "no room", "out", "a larger capacity"});
}

TEST_P(plain_channels, behind_a_stack_are_named_when_they_are_what_is_full) {
  graph g(on, "mixed");
  const auto in = g.stack<int>("in");
  const auto out = g.channel<int>("out", 8);
  g.kernel(
      "greedy", in,
      [](auto& lane, int i, auto& deeper, auto& to) {
        if (!deeper.reserve(1) || !to.reserve(9)) return lane.retry();
        to.push(i);
        return lane.done();
      },
      in, out);
  g.kernel("end", out, [](auto& /*lane*/, int /*i*/) {});
  g.push(in, 1);
  g.execute();
  expect_error([&] { g.wait(); }, {"greedy", "no room", "out", "a larger capacity"});
}

TEST_P(plain_channels, and_stacks_that_are_too_small_for_one_body_say_so) {
  graph g(on, "small stack");
  const auto in = g.stack<int>("levels", 8);
  g.kernel(
      "greedy", in,
      [](auto& lane, int i, auto& deeper) {
        if (!deeper.reserve(9)) return lane.retry();
        deeper.push(i);
        return lane.done();
      },
      up_to(9, in));
  g.push(in, 1);
  g.execute();
  expect_error([&] { g.wait(); }, {"greedy", "no room at level 0", "levels", "a larger capacity",
                                   "CHANNELS_CAPACITY"});
}

TEST_P(plain_channels, retry_what_says_so_without_having_needed_room) {
  // Each body returns retry once, without a reason, and then done without having written.
  graph g(on, "moody");
  const auto c = g.channel<int>("numbers", 512);
  const auto count = g.accumulator<int>();
  std::vector<std::atomic<bool>> tried(500);
  g.kernel(
      "moody", c,
      [](auto& lane, int i, std::atomic<bool>* seen, int& n) {
        if (!seen[i].exchange(true)) return lane.retry();
        ++n;
        return lane.done();
      },
      tried.data(), count);
  for (int i = 0; i < 500; ++i) g.push(c, i);
  g.execute();
  ASSERT_TRUE(g.wait());
  EXPECT_EQ(count.value(), 500);
  EXPECT_EQ(g.counted().work.retries, 500U);
}

TEST_P(plain_channels, end_a_run_whose_body_says_retry_for_ever) {
  graph g(on, "never");
  const auto c = g.channel<int>("numbers", 64);
  g.kernel("never", c, [](auto& lane, int /*i*/) { return lane.retry(); });
  for (int i = 0; i < 10; ++i) g.push(c, i);
  g.execute();
  expect_error([&] { g.wait(); }, {"never", "10 elements wait"});
}

TEST_P(plain_channels, are_exact_under_forced_yields) {
  for_each_seed(scaled(30), [](std::uint64_t seed) {
    dice r(seed);
    settings s = random_shape(r);
    s.compute_units = GetParam();
    s.force_yield = 0.01 * r.from(1, 60);
    SCOPED_TRACE(::testing::Message() << s);
    runtime refusing(s);
    doubling d(refusing, 4096, r.from(1U, 4U));
    const int n = r.from(1, 10);
    d.g.push(d.c, n);
    d.g.execute();
    ASSERT_TRUE(d.g.wait());
    EXPECT_EQ(d.leaves.value(), 1L << n);
  });
}

INSTANTIATE_TEST_SUITE_P(units, plain_channels, ::testing::Values(1U, 2U, 4U),
                         [](const auto& shape) { return std::to_string(shape.param); });

}  // namespace
}  // namespace channels::testing
