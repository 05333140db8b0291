// Elements that the host gives to a graph while it runs, and channels that go to several nodes.

#include "channels/feed.hpp"

#include <gtest/gtest.h>

#include <chrono>   // milliseconds
#include <cstdint>  // fixed-width integers
#include <string>   // string
#include <thread>   // jthread, sleep_for
#include <vector>   // vector

#include "channels/error.hpp"
#include "channels/graph.hpp"
#include "tests/support/errors.hpp"

namespace channels::testing {
namespace {

using std::chrono::milliseconds;

constexpr auto add = [](auto& /*lane*/, std::uint64_t n, std::uint64_t& sum) { sum += n; };

settings impatient() {
  settings s;
  s.timeout = milliseconds(200);
  return s;
}

/// A graph that sums up what it is fed.
struct summing {
  explicit summing(const settings& how = {}, std::uint64_t capacity = 64)
      : on(how),
        g(on, "summing"),
        numbers(g.channel<std::uint64_t>("numbers", capacity)),
        sum(g.accumulator<std::uint64_t>()) {
    g.kernel("add", numbers, add, sum);
  }
  runtime on;
  graph g;
  channel_node<std::uint64_t> numbers;
  accumulator<std::uint64_t> sum;
};

TEST(feed, threads_feed_a_run_through_a_channel_that_holds_few) {
  constexpr std::uint64_t each = 20'000;
  constexpr std::uint64_t threads = 3;
  summing s;
  s.g.push(s.numbers, 5);
  auto in = s.g.feed(s.numbers);
  s.g.execute();
  {
    std::vector<std::jthread> feeders;
    for (std::uint64_t t = 0; t < threads; ++t) {
      feeders.emplace_back([&] {
        for (std::uint64_t i = 1; i <= each; ++i) in.push(i);
      });
    }
  }
  in.close();
  s.g.wait();
  EXPECT_EQ(s.sum.value(), 5 + threads * each * (each + 1) / 2);
}

TEST(feed, many_at_once_are_more_than_the_channel_holds) {
  summing s;
  std::vector<std::uint64_t> all(10'000, 3);
  auto in = s.g.feed(s.numbers);
  s.g.execute();
  in.push(all);
  in.close();
  s.g.wait();
  EXPECT_EQ(s.sum.value(), 30'000U);
}

TEST(feed, a_run_goes_on_until_its_feed_is_closed) {
  summing s;
  auto in = s.g.feed(s.numbers);
  s.g.execute();
  EXPECT_FALSE(s.g.wait(milliseconds(20)));
  in.push(1);
  EXPECT_FALSE(s.g.wait(milliseconds(20)));
  in.push(2);
  in.close();
  EXPECT_TRUE(s.g.wait());
  EXPECT_EQ(s.sum.value(), 3U);
}

TEST(feed, its_end_of_life_closes_it) {
  summing s;
  {
    auto in = s.g.feed(s.numbers);
    s.g.execute();
    auto moved = std::move(in);
    moved.push(7);
  }
  s.g.wait();
  EXPECT_EQ(s.sum.value(), 7U);
}

TEST(feed, the_next_run_has_a_feed_of_its_own) {
  summing s;
  for (std::uint64_t i = 1; i < 4; ++i) {
    auto in = s.g.feed(s.numbers);
    s.g.execute();
    in.push(i);
    in.close();
    s.g.wait();
    EXPECT_EQ(s.sum.value(), i);
  }
}

TEST(feed, a_feed_that_is_full_takes_no_more) {
  summing s(impatient());
  auto in = s.g.feed(s.numbers);
  for (int i = 0; i < 64; ++i) EXPECT_TRUE(in.try_push(1));
  EXPECT_FALSE(in.try_push(1));
  expect_error([&] { in.push(1); }, {"numbers", "call execute before"});
  s.g.execute();
  in.close();
  s.g.wait();
  EXPECT_EQ(s.sum.value(), 64U);
}

TEST(feed, nothing_is_fed_after_the_end) {
  summing s;
  auto in = s.g.feed(s.numbers);
  s.g.execute();
  in.close();
  const std::string closed = error_of([&] { in.push(1); });
  EXPECT_TRUE(closed.find("was closed") != std::string::npos ||
              closed.find("has ended") != std::string::npos)
      << closed;
  s.g.wait();
  expect_error([&] { (void)in.try_push(1); }, {"'numbers'", "a feed is for one run"});
}

TEST(feed, who_waits_for_room_learns_that_the_run_has_failed) {
  runtime on;
  graph g(on, "failing");
  const auto numbers = g.channel<int>("numbers", 4);
  g.kernel("throws", numbers, [](auto& /*lane*/, int n) {
    if (n == 100) throw error("a hundred");
  });
  auto in = g.feed(numbers);
  g.execute();
  expect_error(
      [&] {
        for (int i = 0; i < 100'000; ++i) in.push(i);
      },
      {"it failed: a hundred"});
  EXPECT_EQ(error_of([&] { g.wait(); }), "a hundred");
}

TEST(feed, a_feed_that_nobody_closes_is_named) {
  summing s(impatient());
  auto in = s.g.feed(s.numbers);
  s.g.execute();
  in.push(1);
  expect_error([&] { s.g.wait(); }, {"the feed of channel 'numbers' is open: close it"});
}

TEST(feed, a_graph_that_is_destroyed_does_not_wait_for_its_feed) {
  runtime on;
  {
    graph g(on, "short");
    const auto numbers = g.channel<int>("numbers", 4);
    g.kernel("drop", numbers, [](auto& /*lane*/, int /*n*/) {});
    auto in = g.feed(numbers);
    g.execute();
  }
}

TEST(feed, there_is_one_for_a_channel_and_none_for_frames) {
  summing s;
  const auto in = s.g.feed(s.numbers);
  expect_error([&] { (void)s.g.feed(s.numbers); }, {"has a feed"});
  graph other(s.on, "other");
  expect_error([&] { (void)other.feed(s.numbers); }, {"another graph"});
  const auto waiting = other.frames<int>("waiting");
  expect_error([&] { (void)other.feed(waiting); }, {"cannot be pushed by the host"});
}

TEST(feed, what_predicates_hold_back_is_dispatched_while_nothing_comes) {
  summing s;
  s.g.dispatch_when(s.numbers, [](const channel_status& c) { return c.ready >= 1000; });
  auto in = s.g.feed(s.numbers);
  s.g.execute();
  in.push(1);
  EXPECT_FALSE(s.g.wait(milliseconds(20)));
  in.close();
  s.g.wait();
  EXPECT_EQ(s.sum.value(), 1U);
}

TEST(fan_out, each_channel_gets_all_elements) {
  runtime on;
  graph g(on, "fan");
  const auto numbers = g.channel<std::uint64_t>("numbers", 16);
  const auto left = g.channel<std::uint64_t>("left", 4);
  const auto right = g.channel<std::uint64_t>("right", 1);
  const auto sum = g.accumulator<std::uint64_t>();
  const auto squares = g.accumulator<std::uint64_t>();
  g.fan_out("both", numbers, left, right);
  g.kernel("sum", left, add, sum);
  g.kernel(
      "square", right, [](auto& /*lane*/, std::uint64_t n, std::uint64_t& all) { all += n * n; },
      squares);
  for (std::uint64_t i = 1; i <= 1000; ++i) g.push(numbers, i);
  g.execute();
  g.wait();
  EXPECT_EQ(sum.value(), 500'500U);
  EXPECT_EQ(squares.value(), 333'833'500U);
}

/// A part of a graph is a function: it gets the channel that it writes to, and returns its own.
channel_node<std::uint64_t> evens_of(graph& g, const std::string& name,
                                     channel_node<std::uint64_t> to) {
  const auto in = g.channel<std::uint64_t>(name, 32);
  g.kernel(
      name, in,
      [](auto& lane, std::uint64_t n, auto& out) {
        if (n % 2 != 0) return lane.done();
        if (!out.reserve(1)) return lane.retry();
        out.push(n / 2);
        return lane.done();
      },
      up_to(1, to));
  return in;
}

TEST(composition, a_function_makes_a_part_of_a_graph) {
  summing s;
  const auto in = evens_of(s.g, "evens", evens_of(s.g, "evens of halves", s.numbers));
  for (std::uint64_t i = 1; i <= 100; ++i) s.g.push(in, i);
  s.g.execute();
  s.g.wait();
  EXPECT_EQ(s.sum.value(), 325U);  // 4, 8, ... 100 are divided by 4
}

}  // namespace
}  // namespace channels::testing
