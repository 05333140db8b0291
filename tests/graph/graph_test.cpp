// What a graph computes: channels, stacks, frames, constants, accumulators, pushes from the host.

#include "channels/graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>  // max
#include <array>      // array
#include <limits>     // numeric_limits

#include "tests/support/shapes.hpp"

namespace channels::testing {
namespace {

class graph_on : public ::testing::TestWithParam<unsigned /*units*/> {
 protected:
  graph_on() : on(with_units(GetParam())) {}
  void run(graph& g) const {
    g.execute();
    ASSERT_TRUE(g.wait());
  }
  runtime on;
};

long leaves_of_fib(int n) { return n <= 2 ? 1 : leaves_of_fib(n - 1) + leaves_of_fib(n - 2); }

TEST_P(graph_on, one_node_and_one_channel_count_the_leaves_of_a_recursion) {
  graph g(on, "fib");
  const auto fib = g.channel<int>("fib", 32768);
  const auto result = g.accumulator<long>();
  g.kernel(
      "fib", fib,
      [](auto& lane, int n, auto& children, long& sum) {
        if (n <= 2) {
          sum += 1;
          return lane.done();
        }
        if (!children.reserve(2)) return lane.retry();
        children.push(n - 1);
        children.push(n - 2);
        return lane.done();
      },
      up_to(2, fib), result);
  g.push(fib, 20);
  run(g);
  EXPECT_EQ(result.value(), leaves_of_fib(20));
  EXPECT_EQ(g.counted().work.tasks, static_cast<std::uint64_t>(2 * leaves_of_fib(20) - 1));
}

struct call_element {
  int n;
  long* result;
};
struct call_frame {
  long* result;
  long x, y;
};

TEST_P(graph_on, frames_run_after_all_that_they_wait_for) {
  graph g(on, "fib");
  const auto fib = g.stack<call_element>("fib");
  const auto cont = g.frames<call_frame>("fib.cont");
  const auto deepest = g.accumulator<std::uint32_t>(
      0U, [](std::uint32_t a, std::uint32_t b) { return std::max(a, b); });
  g.kernel(
      "fib", fib,
      [](auto& lane, call_element e, auto& children, auto& frames, std::uint32_t& level) {
        level = std::max(level, lane.level());
        if (e.n < 2) {
          *e.result = e.n;
          return lane.done();
        }
        if (!children.reserve(2) || !frames.reserve(1)) return lane.retry();
        call_frame* const f = frames.push({e.result, -1000, -1000});
        children.push({e.n - 1, &f->x});
        children.push({e.n - 2, &f->y});
        return lane.done();
      },
      up_to(2, fib), cont, deepest);
  g.kernel("fib.cont", cont, [](auto& /*lane*/, call_frame& f) { *f.result = f.x + f.y; });
  for (const int n : {0, 1, 7, 19}) {
    long result = -1;
    g.push(fib, {n, &result});
    run(g);
    long expected = n < 1 ? 0 : leaves_of_fib(n);
    EXPECT_EQ(result, expected) << n;
    EXPECT_EQ(deepest.value(), static_cast<std::uint32_t>(std::max(n - 1, 0)));
  }
}

TEST_P(graph_on, stages_of_different_rates_lose_nothing_in_channels_that_are_too_small) {
  graph g(on, "pipeline");
  const auto source = g.channel<int>("source", 8);
  const auto many = g.channel<int>("many", 16);
  const auto few = g.channel<int>("few", 2);
  const auto sum = g.accumulator<long>();
  const auto count = g.accumulator<long>();
  // Each element becomes five, and one in three of those goes on.
  g.kernel(
      "multiply", source,
      [](auto& lane, int i, auto& out) {
        if (!out.reserve(5)) return lane.retry();
        for (int k = 0; k < 5; ++k) out.push(5 * i + k);
        return lane.done();
      },
      up_to(5, many));
  g.kernel(
      "filter", many,
      [](auto& lane, int i, auto& out) {
        if (i % 3 != 0) return lane.done();
        return out.try_push(i) != nullptr ? lane.done() : lane.retry();
      },
      few);
  g.kernel(
      "add", few,
      [](auto& /*lane*/, int i, long& s, long& c) {
        s += i;
        ++c;
      },
      sum, count);
  constexpr int pushes = 1000;
  for (int i = 0; i < pushes; ++i) g.push(source, i);
  run(g);
  long expected = 0;
  for (int i = 0; i < 5 * pushes; i += 3) expected += i;
  EXPECT_EQ(sum.value(), expected);
  EXPECT_EQ(count.value(), (5 * pushes + 2) / 3);
}

TEST_P(graph_on, more_pushes_than_a_channel_has_room_for_are_fed_as_it_empties) {
  graph g(on, "pushes");
  const auto c = g.channel<int>("numbers", 4);
  const auto s = g.stack<int>("levels", 4);
  const auto sum = g.accumulator<long>();
  const auto add = [](auto& /*lane*/, int i, long& total) { total += i; };
  g.kernel("numbers", c, add, sum);
  g.kernel("levels", s, add, sum);
  long expected = 0;
  for (int i = 0; i < 10'000; ++i) {
    g.push(c, i);
    g.push(s, -3 * i);
    expected += -2L * i;
  }
  run(g);
  EXPECT_EQ(sum.value(), expected);
}

TEST_P(graph_on, a_node_may_write_to_two_channels) {
  graph g(on, "split");
  const auto in = g.channel<int>("in", 64);
  const auto even = g.channel<int>("even", 8);
  const auto odd = g.channel<int>("odd", 8);
  const auto evens = g.accumulator<long>();
  const auto odds = g.accumulator<long>();
  g.kernel(
      "split", in,
      [](auto& lane, int i, auto& to_even, auto& to_odd) {
        auto& to = i % 2 == 0 ? to_even : to_odd;
        return to.try_push(i) != nullptr ? lane.done() : lane.retry();
      },
      even, odd);
  const auto add = [](auto& /*lane*/, int i, long& sum) { sum += i; };
  g.kernel("even", even, add, evens);
  g.kernel("odd", odd, add, odds);
  for (int i = 0; i < 1000; ++i) g.push(in, i);
  run(g);
  EXPECT_EQ(evens.value(), 249500);
  EXPECT_EQ(odds.value(), 250000);
}

TEST_P(graph_on, a_node_may_be_given_one_channel_twice) {
  graph g(on, "twice");
  const auto in = g.stack<int>("in");
  const auto sum = g.accumulator<long>();
  g.kernel(
      "in", in,
      [](auto& lane, int n, auto& left, auto& right, long& leaves) {
        if (n == 0) {
          ++leaves;
          return lane.done();
        }
        if (!left.reserve(1) || !right.reserve(1)) return lane.retry();
        left.push(n - 1);
        right.push(n - 1);
        return lane.done();
      },
      in, in, sum);
  g.push(in, 14);
  run(g);
  EXPECT_EQ(sum.value(), 1 << 14);
}

TEST_P(graph_on, constant_arguments_arrive_as_they_are) {
  struct table {
    std::array<int, 4> values;
  };
  graph g(on, "constants");
  const auto c = g.channel<int>("numbers", 64);
  const auto sum = g.accumulator<long>();
  const int weights[] = {1, 10, 100, 1000};
  g.kernel(
      "weigh", c,
      [](auto& /*lane*/, int i, int factor, const int* weight, const table& t, long& s) {
        s += long{factor} * weight[i] * t.values[static_cast<std::size_t>(i)];
      },
      3, &weights[0], table{{1, 2, 3, 4}}, sum);
  for (int i = 0; i < 4; ++i) g.push(c, i);
  run(g);
  EXPECT_EQ(sum.value(), 3 * (1 + 20 + 300 + 4000));
}

TEST_P(graph_on, accumulators_combine_as_they_are_told_and_start_anew_each_run) {
  graph g(on, "accumulators");
  const auto c = g.channel<int>("numbers", 1024);
  const auto most = g.accumulator<int>(std::numeric_limits<int>::min(),
                                       [](int a, int b) { return std::max(a, b); });
  const auto sum = g.accumulator<long>();
  g.kernel(
      "look", c,
      [](auto& /*lane*/, int i, int& m, long& s) {
        m = std::max(m, i);
        s += i;
      },
      most, sum);
  EXPECT_EQ(most.value(), std::numeric_limits<int>::min()) << "the identity";
  for (int i = 0; i < 1000; ++i) g.push(c, -5 - (i * 7919) % 1000);
  run(g);
  EXPECT_EQ(most.value(), -5);
  EXPECT_EQ(sum.value(), -5 * 1000 - 499500);
  g.push(c, -70);
  run(g);
  EXPECT_EQ(most.value(), -70);
  EXPECT_EQ(sum.value(), -70);
}

struct particle {
  double x;
  int id;
  std::int8_t kind;
  using channel_fields = fields<&particle::x, &particle::id, &particle::kind>;
};

TEST_P(graph_on, elements_stored_field_by_field_arrive_whole) {
  static_assert(layout_of<particle>::by_field);
  graph g(on, "particles");
  const auto c = g.channel<particle>("particles", 32);
  const auto s = g.stack<particle>("split", 64);
  const auto sum = g.accumulator<double>();
  const auto wrong = g.accumulator<int>();
  g.kernel(
      "split", c,
      [](auto& lane, const particle& p, auto& out) {
        return out.try_push({p.x / 2, p.id, p.kind}) ? lane.done() : lane.retry();
      },
      s);
  g.kernel(
      "add", s,
      [](auto& lane, particle p, auto& out, double& total, int& errors) {
        if (p.x != p.id / 2.0 || p.kind != static_cast<std::int8_t>(p.id % 100)) ++errors;
        if (lane.level() < 2) return out.try_push(p) ? lane.done() : lane.retry();
        total += p.x;
        return lane.done();
      },
      s, sum, wrong);
  for (int i = 0; i < 3000; ++i) g.push(c, {double(i), i, static_cast<std::int8_t>(i % 100)});
  run(g);
  EXPECT_EQ(wrong.value(), 0);
  EXPECT_EQ(sum.value(), 3000.0 * 2999 / 4);
}

struct alignas(64) wide_element {
  double values[8];
};

TEST_P(graph_on, elements_may_ask_for_a_whole_cache_line) {
  graph g(on, "aligned");
  const auto c = g.channel<wide_element>("wide", 16);
  const auto sum = g.accumulator<double>();
  g.kernel(
      "add", c,
      [](auto& /*lane*/, const wide_element& e, double& total) {
        for (const double v : e.values) total += v;
      },
      sum);
  for (int i = 0; i < 100; ++i) g.push(c, {{double(i), 1, 2, 3, 4, 5, 6, 7}});
  run(g);
  EXPECT_EQ(sum.value(), 4950 + 2800);
}

TEST_P(graph_on, a_stack_may_be_fed_by_a_node_of_a_plain_channel) {
  graph g(on, "both");
  const auto c = g.channel<int>("roots", 16);
  const auto s = g.stack<int>("tree", 256);
  const auto done = g.channel<int>("done", 16);
  const auto leaves = g.accumulator<long>();
  const auto hand_on = [](auto& lane, int n, auto& out) {
    return out.try_push(n) != nullptr ? lane.done() : lane.retry();
  };
  g.kernel("roots", c, hand_on, s);
  g.kernel(
      "tree", s,
      [](auto& lane, int n, auto& children, auto& out) {
        if (n == 0) return out.try_push(1) != nullptr ? lane.done() : lane.retry();
        if (!children.reserve(2)) return lane.retry();
        children.push(n - 1);
        children.push(n - 1);
        return lane.done();
      },
      up_to(2, s), done);
  g.kernel("done", done, [](auto& /*lane*/, int i, long& sum) { sum += i; }, leaves);
  for (int i = 0; i < 50; ++i) g.push(c, 6);
  run(g);
  EXPECT_EQ(leaves.value(), 50 * 64);
}

TEST_P(graph_on, runs_again_and_again_with_fresh_pushes) {
  graph g(on, "again");
  const auto c = g.channel<int>("numbers", 64);
  const auto sum = g.accumulator<long>();
  g.kernel("add", c, [](auto& /*lane*/, int i, long& s) { s += i; }, sum);
  for (int i = 1; i < 100; ++i) {
    for (int k = 0; k < i; ++k) g.push(c, i);
    run(g);
    ASSERT_EQ(sum.value(), long{i} * i);
    ASSERT_EQ(g.counted().work.tasks, static_cast<std::uint64_t>(i));
  }
}

TEST_P(graph_on, may_grow_between_two_runs) {
  graph g(on, "grows");
  const auto c = g.channel<int>("numbers", 64);
  const auto sum = g.accumulator<long>();
  const auto add = [](auto& /*lane*/, int i, long& s) { s += i; };
  g.kernel("add", c, add, sum);
  g.push(c, 1);
  run(g);
  const auto more = g.stack<int>("more");
  g.kernel("add more", more, add, sum);
  g.push(c, 2);
  g.push(more, 3);
  run(g);
  EXPECT_EQ(sum.value(), 5);
}

INSTANTIATE_TEST_SUITE_P(units, graph_on, ::testing::Values(1U, 2U, 4U),
                         [](const auto& given) { return std::to_string(given.param); });

TEST(graphs, take_turns_on_one_runtime) {
  runtime on(with_units(2));
  graph one(on, "one");
  graph two(on, "two");
  const auto a = one.channel<int>("a", 8);
  const auto b = two.channel<int>("a", 8);
  const auto sum = one.accumulator<int>();
  const auto product = two.accumulator<int>(1, std::multiplies<>{});
  one.kernel("add", a, [](auto& /*lane*/, int i, int& s) { s += i; }, sum);
  two.kernel("multiply", b, [](auto& /*lane*/, int i, int& p) { p *= i; }, product);
  for (int round = 0; round < 5; ++round) {
    for (int i = 1; i <= 5; ++i) {
      one.push(a, i);
      two.push(b, i);
    }
    one.execute();
    EXPECT_TRUE(one.wait());
    two.execute();
    EXPECT_TRUE(two.wait());
    EXPECT_EQ(sum.value(), 15);
    EXPECT_EQ(product.value(), 120);
  }
}

TEST(graphs, leave_their_channels_to_code_that_knows_only_names) {
  runtime on(with_units(2));
  graph g(on, "found");
  (void)g.channel<int>("numbers", 8);
  const auto sum = g.accumulator<int>();
  g.kernel("add", g.find<int>("numbers"), [](auto& /*lane*/, int i, int& s) { s += i; }, sum);
  g.push(g.find<int>("numbers"), 42);
  g.execute();
  EXPECT_TRUE(g.wait());
  EXPECT_EQ(sum.value(), 42);
}

}  // namespace
}  // namespace channels::testing
