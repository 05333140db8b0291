// Channels without levels: what happens when a node fills the channel that it consumes.

#include <gtest/gtest.h>

#include <atomic>  // atomic
#include <string>  // string
#include <vector>  // vector

#include "channels/graph.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/shapes.hpp"

namespace channels::testing {
namespace {

/// The body of a node whose elements n > 0 become two of n - 1.
constexpr auto double_it = [](auto& lane, auto n, auto& out, long& leaves) {
  if (n == 0) {
    ++leaves;
    return lane.done();
  }
  if (!out.reserve(2)) return lane.retry();
  out.push(n - 1);
  out.push(n - 1);
  return lane.done();
};

/// The body of a node that asks for more than the narrow channels of these tests have.
constexpr auto ask_for_nine = [](auto& lane, int i, auto& out) {
  if (!out.reserve(9)) return lane.retry();
  out.push(i);
  return lane.done();
};

/// A graph whose elements n > 0 become two of n - 1 in the same channel.
struct doubling {
  doubling(runtime& on, std::uint64_t capacity, std::uint32_t bound = 2)
      : g(on, "doubling"), c(g.channel<int>("numbers", capacity)), leaves(g.accumulator<long>()) {
    g.kernel("double", c, double_it, up_to(bound, c), leaves);
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

TEST_P(plain_channels, that_are_full_of_what_needs_room_let_one_after_the_other_go_on) {
  const int roots = 10 * scaled(20);
  for (const std::uint64_t capacity : {4U, 64U}) {
    for (const std::uint32_t bound : {1U, 2U, 100U}) {
      doubling d(on, capacity, bound);
      for (int i = 0; i < roots; ++i) d.g.push(d.c, 6);
      d.g.execute();
      ASSERT_TRUE(d.g.wait());
      EXPECT_EQ(d.leaves.value(), static_cast<long>(roots) << 6) << capacity << ", " << bound;
    }
  }
}

TEST_P(plain_channels, that_keep_more_than_the_memory_holds_end_the_run_with_advice) {
  settings s = with_units(GetParam());
  s.memory = 64U << 10U;
  runtime small(s);
  // Each element leaves a hundred that wait for what is never there: their own hundred.
  graph g(small, "wide");
  const auto c = g.channel<long>("numbers", 512);
  g.kernel(
      "widen", c,
      [](auto& lane, long n, auto& out) {
        if (!out.reserve(100)) return lane.retry();
        for (int i = 0; i < 100; ++i) out.push(n + 1);
        return lane.done();
      },
      c);
  g.push(c, 0);
  g.execute();
  expect_error([&] { g.wait(); }, {"wide", "numbers", "CHANNELS_MEMORY=65536", "capacity"});
}

TEST_P(plain_channels, that_can_never_hold_what_a_body_asks_for_end_the_run_with_advice) {
  graph g(on, "too much");
  const auto in = g.channel<int>("in", 8);
  const auto out = g.channel<int>("out", 8);
  g.kernel("greedy", in, ask_for_nine, out);
  g.kernel("end", out, [](auto& /*lane*/, int /*i*/) {});
  g.push(in, 1);
  g.execute();
  expect_error([&] { g.wait(); }, {"greedy", "asks for 9 elements of channel out", "8 of its 8",
                                   "a larger capacity, of 9 or more"});
}

TEST_P(plain_channels, that_can_never_hold_what_a_body_asks_for_besides_its_own_element_say_so) {
  graph g(on, "too much");
  const auto c = g.channel<int>("numbers", 8);
  g.kernel(
      "greedy", c,
      [](auto& lane, int i, auto& out) {
        if (i == 0) return lane.done();
        if (!out.reserve(8)) return lane.retry();
        for (int k = 0; k < 8; ++k) out.push(0);
        return lane.done();
      },
      c);
  for (int i = 0; i < 20; ++i) g.push(c, i);
  g.execute();
  expect_error([&] { g.wait(); }, {"greedy", "asks for 8 elements of channel numbers", "7 of its 8",
                                   "a larger capacity, of 9 or more"});
  // The graph and the runtime can be used again.
  g.push(c, 0);
  g.execute();
  EXPECT_TRUE(g.wait());
}

TEST_P(plain_channels, lose_nothing_where_a_body_pushes_without_a_reservation) {
  // With room for all it is fine; without, the run ends with an error that says what to write.
  for (const std::uint64_t capacity : {16384U, 64U}) {
    graph g(on, "careless graph");
    const auto in = g.channel<int>("in", 1024);
    const auto out = g.channel<int>("out", capacity);
    const auto count = g.accumulator<long>();
    g.kernel(
        "careless", in,
        [](auto& /*lane*/, int i, auto& to) {
          for (int k = 0; k < 10; ++k) to.push(i);
        },
        up_to(10, out));
    g.kernel("count", out, [](auto& /*lane*/, int /*i*/, long& n) { ++n; }, count);
    for (int i = 0; i < 1000; ++i) g.push(in, i);
    g.execute();
    if (capacity > 10000) {
      ASSERT_TRUE(g.wait());
      EXPECT_EQ(count.value(), 10000);
      continue;
    }
    try {
      g.wait();
      EXPECT_EQ(count.value(), 10000);
    } catch (const error& e) {
      for (const char* const word : {"careless", "channel out", "of 64", "reserve", "try_push"})
        EXPECT_NE(std::string(e.what()).find(word), std::string::npos) << e.what();
    }
  }
}

TEST_P(plain_channels, take_what_fits_of_a_body_that_retries_with_the_rest) {
  // An element that becomes a thousand, through a channel of eight.
  struct range {
    int from, to;
  };
  graph g(on, "ranges");
  const auto in = g.channel<range>("ranges", 4);
  const auto out = g.channel<int>("numbers", 8);
  const auto sum = g.accumulator<long>();
  g.kernel(
      "unroll", in,
      [](auto& lane, const range& r, auto& to) {
        for (int i = r.from; i < r.to; ++i) {
          if (to.try_push(i) == nullptr) return lane.retry({i, r.to});
        }
        return lane.done();
      },
      out);
  g.kernel("add", out, [](auto& /*lane*/, int i, long& to) { to += i; }, sum);
  for (int k = 0; k < 20; ++k) g.push(in, {1000 * k, 1000 * (k + 1)});
  g.execute();
  ASSERT_TRUE(g.wait());
  EXPECT_EQ(sum.value(), 20000L * 19999 / 2);
}

TEST_P(plain_channels, visit_a_graph_breadth_first_with_any_capacity) {
  // Vertex v has edges to v + 1, 2 v and so on: most are visited again and again.
  constexpr int vertices = scaled(20000);
  constexpr int degree = 7;
  for (const std::uint64_t capacity : {8U, 64U, 4096U, 65536U}) {
    graph g(on, "bfs");
    const auto frontier = g.channel<int>("frontier", capacity);
    const auto count = g.accumulator<long>();
    std::vector<std::atomic<bool>> seen(vertices);
    g.kernel(
        "visit", frontier,
        [](auto& lane, int v, auto& next, std::atomic<bool>* visited, long& n) {
          if (!next.reserve(degree)) return lane.retry();
          if (visited[v].exchange(true)) return lane.done();
          ++n;
          for (int k = 1; k <= degree; ++k) next.push((v * k + 1) % vertices);
          return lane.done();
        },
        frontier, seen.data(), count);
    g.push(frontier, 0);
    g.execute();
    ASSERT_TRUE(g.wait()) << capacity;
    EXPECT_EQ(count.value(), vertices) << capacity;
  }
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
  expect_error([&] { g.wait(); },
               {"greedy", "asks for 9 elements of channel out", "a larger capacity, of 9 or more"});
}

TEST_P(plain_channels, and_stacks_that_are_too_small_for_one_body_say_so) {
  graph g(on, "small stack");
  const auto in = g.stack<int>("levels", 8);
  g.kernel("greedy", in, ask_for_nine, up_to(9, in));
  g.push(in, 1);
  g.execute();
  expect_error([&] { g.wait(); }, {"greedy", "no room at level 0", "levels", "a larger capacity"});
}

TEST_P(plain_channels, and_stacks_of_the_usual_capacity_name_its_setting) {
  settings s = with_units(GetParam());
  s.capacity = 8;
  runtime narrow(s);
  graph g(narrow, "small stack");
  const auto in = g.stack<int>("levels");
  g.kernel("greedy", in, ask_for_nine, up_to(9, in));
  g.push(in, 1);
  g.execute();
  expect_error([&] { g.wait(); },
               {"greedy", "no room at level 0", "levels", "set CHANNELS_CAPACITY higher, to 16"});
}

TEST_P(plain_channels, and_stacks_shrink_to_the_memory_there_is) {
  settings s = with_units(GetParam());
  s.memory = 64U << 10U;  // the usual capacity takes 128 KB
  runtime small(s);
  graph g(small, "small memory");
  const auto in = g.stack<long>("levels");
  const auto sum = g.accumulator<long>();
  g.kernel("double", in, double_it, up_to(2, in), sum);
  g.push(in, 12);
  g.execute();
  ASSERT_TRUE(g.wait());
  EXPECT_EQ(sum.value(), 4096);
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
  expect_error([&] { g.wait(); }, {"never", "the body returned retry", "lane.done()"});
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
