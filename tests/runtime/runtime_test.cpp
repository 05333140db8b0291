// Starting, waiting, stopping and destroying; and several runtimes in one process.

#include <gtest/gtest.h>

#include <optional>  // optional
#include <thread>    // thread

#include "channels/graph.hpp"
#include "tests/support/endless.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/shapes.hpp"
#include "tests/support/tasks.hpp"

namespace channels::testing {
namespace {

using namespace std::chrono_literals;
using clock = std::chrono::steady_clock;

TEST(wait, returns_false_when_its_deadline_comes_before_the_end) {
  runtime on(with_units(2));
  endless run(on);
  EXPECT_FALSE(run.on_graph.wait(0ms));
  const auto begin = clock::now();
  EXPECT_FALSE(run.on_graph.wait(80ms));
  EXPECT_GE(clock::now() - begin, 80ms);
  EXPECT_LT(clock::now() - begin, 10s);
  run.let_end();
  EXPECT_TRUE(run.on_graph.wait());
}

TEST(wait, returns_true_again_when_the_run_has_been_waited_for) {
  runtime on(with_units(1));
  EXPECT_EQ(call<fib>(on, {5}), 5);
  EXPECT_TRUE(on.wait());
  EXPECT_TRUE(on.wait(0ms));
}

TEST(stop, ends_a_run_that_would_not_end_and_wait_says_so) {
  for (const unsigned units : {1U, 2U, 4U}) {
    runtime on(with_units(units));
    endless run(on);
    EXPECT_FALSE(run.on_graph.wait(20ms));
    const auto begin = clock::now();
    on.stop();
    expect_error([&] { run.on_graph.wait(); }, {"endless", "stopped"});
    EXPECT_LT(clock::now() - begin, 10s);
    EXPECT_EQ(call<fib>(on, {12}), fib::serial(12)) << "the runtime goes on";
  }
}

TEST(stop, does_nothing_where_nothing_runs) {
  runtime on(with_units(1));
  on.stop();
  EXPECT_EQ(call<fib>(on, {10}), fib::serial(10));
  on.stop();
  EXPECT_EQ(call<fib>(on, {10}), fib::serial(10));
}

TEST(stop, at_any_moment_ends_the_run_with_its_answer_or_with_the_request) {
  for_each_seed(scaled(200), [](std::uint64_t seed) {
    dice d(seed);
    runtime on(random_shape(d));
    const auto delay = std::chrono::microseconds(d.from(0, 400));
    std::thread stopper([&] {
      std::this_thread::sleep_for(delay);
      on.stop();
    });
    try {
      EXPECT_EQ(call<fib>(on, {14}), fib::serial(14));
    } catch (const error& e) {
      EXPECT_NE(std::string(e.what()).find("stopped"), std::string::npos) << e.what();
    }
    stopper.join();
    EXPECT_EQ(call<fib>(on, {9}), fib::serial(9));
  });
}

TEST(a_graph, that_is_destroyed_while_it_runs_ends_promptly) {
  runtime on(with_units(2));
  const auto begin = clock::now();
  {
    endless run(on);
    EXPECT_FALSE(run.on_graph.wait(20ms));
  }
  EXPECT_LT(clock::now() - begin, 10s);
  EXPECT_EQ(call<fib>(on, {12}), fib::serial(12));
}

TEST(a_runtime, that_is_destroyed_while_it_runs_ends_promptly) {
  const auto begin = clock::now();
  auto on = std::make_unique<runtime>(with_units(2));
  const auto model = endless::model();
  on->start(model, first_come());
  EXPECT_FALSE(on->wait(20ms));
  on.reset();
  EXPECT_LT(clock::now() - begin, 10s);
}

TEST(a_graph, that_outlives_its_runtime_says_so) {
  auto on = std::make_unique<runtime>(with_units(2));
  graph g(*on, "orphan");
  const auto c = g.channel<int>("numbers", 8);
  const auto sum = g.accumulator<long>();
  g.kernel("add", c, [](auto& /*lane*/, int i, long& to) { to += i; }, sum);
  g.push(c, 5);
  g.execute();
  ASSERT_TRUE(g.wait());
  on.reset();
  EXPECT_EQ(sum.value(), 5);
  EXPECT_EQ(g.counted().work.tasks, 1U);
  g.push(c, 1);
  expect_error([&] { g.execute(); }, {"orphan", "the runtime of this graph was destroyed"});
  (void)g.dot();
}

TEST(a_graph, whose_runtime_is_destroyed_while_it_runs_hears_of_it) {
  auto on = std::make_unique<runtime>(with_units(2));
  endless run(*on);
  EXPECT_FALSE(run.on_graph.wait(20ms));
  on.reset();
  expect_error([&] { run.on_graph.wait(); },
               {"endless", "the runtime was destroyed while this graph ran", "keep it"});
}

TEST(a_graph, is_destroyed_in_peace_after_its_runtime) {
  for (const bool waits : {false, true}) {
    auto on = std::make_unique<runtime>(with_units(2));
    const endless run(*on);
    if (waits) (void)const_cast<endless&>(run).on_graph.wait(5ms);
    on.reset();
  }
}

TEST(a_runtime, that_has_done_nothing_can_be_destroyed_at_once) {
  for (int i = 0; i < scaled(300); ++i) const runtime on(with_units(2));
}

TEST(a_runtime, can_be_moved_with_the_run_that_is_on) {
  runtime first(with_units(1));
  const auto model = endless::model();
  first.start(model, first_come());
  runtime second(std::move(first));
  runtime third(with_units(1));
  third = std::move(second);
  EXPECT_FALSE(third.wait(10ms));
  third.stop();
  expect_error([&] { third.wait(); }, {"stopped"});
}

TEST(a_runtime, refuses_a_second_run_before_the_first_has_been_waited_for) {
  runtime on(with_units(1));
  endless run(on);
  expect_error([&] { (void)call<fib>(on, {5}); }, {"fib", "endless", "wait"});
  run.let_end();
  EXPECT_TRUE(run.on_graph.wait());
  EXPECT_EQ(call<fib>(on, {5}), 5);
}

struct not_an_exception {
  int value;
};

/// A graph of 1000 elements; the body of one throws.
template <class Thrown>
void run_that_throws(graph& g, Thrown what) {
  const auto c = g.channel<int>("numbers", 1024);
  g.kernel(
      "thrower", c,
      [](auto& /*lane*/, int i, const Thrown& e) {
        if (i == 700) throw e;
      },
      what);
  for (int i = 0; i < 1000; ++i) g.push(c, i);
  g.execute();
}

TEST(an_exception_of_a_kernel_node, arrives_at_wait_and_the_runtime_goes_on) {
  for (const unsigned units : {1U, 2U, 4U}) {
    runtime on(with_units(units));
    for (int i = 0; i < 3; ++i) {
      graph g(on, "throws");
      run_that_throws(g, std::invalid_argument("seven hundred"));
      try {
        g.wait();
        ADD_FAILURE() << "nothing was thrown";
      } catch (const std::invalid_argument& e) {
        EXPECT_STREQ(e.what(), "seven hundred");
      }
      EXPECT_EQ(call<fib>(on, {12}), fib::serial(12));
    }
  }
}

TEST(an_exception_of_a_kernel_node, may_be_of_any_type_and_may_be_left_to_the_destructor) {
  runtime on(with_units(2));
  {
    graph g(on, "throws");
    run_that_throws(g, not_an_exception{7});
    EXPECT_THROW(g.wait(), not_an_exception);
  }
  {
    graph g(on, "throws");
    run_that_throws(g, not_an_exception{7});
  }
  EXPECT_EQ(call<fib>(on, {12}), fib::serial(12));
}

TEST(an_exception_of_a_kernel_node, ends_the_run_in_spite_of_forced_yields) {
  settings s = with_units(2);
  s.force_yield = 0.3;
  runtime on(s);
  graph g(on, "throws");
  run_that_throws(g, std::invalid_argument("seven hundred"));
  EXPECT_THROW(g.wait(), std::invalid_argument);
}

/// Throws in the continuation of a leaf's parent.
struct thrower {
  static constexpr const char* name = "thrower";
  using result_type = int;
  struct arguments {
    int n;
  };
  struct frame {
    int n, below;
  };
  using spawns = task_list<thrower>;
  static constexpr std::uint32_t spawn_bound = 1;
  template <class Lane>
  static outcome enter(Lane& lane, const arguments& a) {
    if (a.n == 0) return lane.finish(0);
    frame* const f = lane.template open<thrower>(1);
    if (f == nullptr) return lane.retry();
    f->n = a.n;
    (void)lane.template spawn<thrower>(&f->below, {a.n - 1});
    return lane.sync(1);
  }
  template <class Lane>
  static outcome resume(Lane& lane, frame& f, std::uint32_t /*point*/) {
    if (f.n == 5) throw std::out_of_range("five");
    return lane.finish(f.below + 1);
  }
};

TEST(an_exception_of_a_task, arrives_at_the_call) {
  for (const readiness rule : {readiness::levelized, readiness::counted}) {
    runtime on(with_units(2, rule));
    EXPECT_EQ(call<thrower>(on, {4}), 4);
    EXPECT_THROW((void)call<thrower>(on, {20}), std::out_of_range);
    EXPECT_EQ(call<thrower>(on, {4}), 4);
  }
}

TEST(two_runtimes, run_side_by_side_with_settings_of_their_own) {
  runtime one(with_units(1, readiness::levelized));
  runtime two(with_units(4, readiness::counted));
  EXPECT_EQ(one.compute_units(), 1U);
  EXPECT_EQ(two.compute_units(), 4U);
  endless first(one);
  EXPECT_EQ(call<fib>(two, {18}), fib::serial(18)) << "while the first one runs";
  endless second(two);
  first.let_end();
  EXPECT_TRUE(first.on_graph.wait());
  EXPECT_FALSE(second.on_graph.wait(10ms));
  EXPECT_EQ(call<tree>(one, {2, 8}), tree::serial(2, 8)) << "while the second one runs";
  second.let_end();
  EXPECT_TRUE(second.on_graph.wait());
}

TEST(two_runtimes, used_by_two_threads_at_once_do_not_disturb_each_other) {
  for_each_seed(2, [](std::uint64_t seed) {
    const auto work = [seed](std::uint64_t which) {
      dice d(seed + which);
      std::optional<runtime> on;
      for (int i = 0; i < scaled(100); ++i) {
        if (i % 10 == 0) on.emplace(random_shape(d));
        const int n = d.from(5, 16);
        EXPECT_EQ(call<fib>(*on, {n}), fib::serial(n)) << on->options();
        EXPECT_EQ(call<tree>(*on, {2, 9}), tree::serial(2, 9)) << on->options();
      }
    };
    std::thread one(work, 1000);
    std::thread two(work, 2000);
    one.join();
    two.join();
  });
}

TEST(two_threads, can_wait_for_the_same_run) {
  for (int i = 0; i < scaled(100); ++i) {
    runtime on(with_units(2));
    endless run(on);
    std::thread other([&] { EXPECT_TRUE(on.wait()); });
    run.let_end();
    EXPECT_TRUE(on.wait());
    other.join();
  }
}

}  // namespace
}  // namespace channels::testing
