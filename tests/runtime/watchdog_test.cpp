// A run in which nothing goes on is ended with a report; one that is merely slow is not.

#include <gtest/gtest.h>

#include <atomic>   // atomic
#include <sstream>  // istringstream
#include <thread>   // sleep_for

#include "channels/graph.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/shapes.hpp"
#include "tests/support/tasks.hpp"

namespace channels::testing {
namespace {

using namespace std::chrono_literals;
using clock = std::chrono::steady_clock;

/// What the runtime gives a stopped kernel node before it leaves its thread behind.
constexpr auto grace = 2s;
constexpr auto slack = 8s;  // of a loaded machine

settings impatient(unsigned units, std::chrono::milliseconds timeout) {
  settings s = with_units(units);
  s.timeout = timeout;
  return s;
}

/// Bodies that do not return on purpose. They outlive the runtime that gave them up, and return
/// when the test ends.
class watchdog : public ::testing::Test {
 protected:
  struct gate {
    std::atomic<bool> open{false};
  };
  watchdog() = default;
  ~watchdog() override {
    gate_->open = true;
    const std::weak_ptr<gate> left = gate_;
    gate_.reset();
    while (!left.expired()) std::this_thread::sleep_for(1ms);
    std::this_thread::sleep_for(50ms);  // for threads that were left behind to end
  }

  static void pass(const gate& g) {
    while (!g.open) std::this_thread::sleep_for(1ms);
  }

  /// Element 3 of 10 does not come back while the gate is closed.
  void start_stuck(graph& g) {
    const auto numbers = g.channel<int>("numbers", 16);
    const auto results = g.channel<int>("results", 16);
    g.kernel(
        "stuck", numbers,
        [](auto& /*lane*/, int i, auto& out, const std::shared_ptr<gate>& where) {
          if (i == 3) pass(*where);
          (void)out.push(i);
        },
        results, gate_);
    g.kernel("end", results, [](auto& /*lane*/, int /*i*/) {});
    for (int i = 0; i < 10; ++i) g.push(numbers, i);
    g.execute();
  }

  std::shared_ptr<gate> gate_ = std::make_shared<gate>();  // graphs that were given up own it too
};

TEST_F(watchdog, gives_up_a_body_that_never_returns_and_the_process_goes_on) {
  for (const unsigned units : {1U, 2U}) {
    auto on = std::make_unique<runtime>(impatient(units, 300ms));
    {
      graph g(*on, "hangs");
      start_stuck(g);
      const auto begin = clock::now();
      const std::string message = error_of([&] { g.wait(); });
      const auto took = clock::now() - begin;
      EXPECT_GE(took, 300ms);
      EXPECT_LT(took, 300ms + grace + slack);
      for (const char* const word : {"hangs", "300 ms", "CHANNELS_TIMEOUT", "numbers", "in flight",
                                     "does not return", "left behind"}) {
        EXPECT_NE(message.find(word), std::string::npos) << word << " in\n" << message;
      }
      expect_error([&] { (void)call<fib>(*on, {5}); }, {"given up", "make a new one"});
    }
    const auto begin = clock::now();
    on.reset();
    EXPECT_LT(clock::now() - begin, grace + slack);
    runtime fresh(with_units(units));
    EXPECT_EQ(call<fib>(fresh, {15}), fib::serial(15));
  }
}

TEST_F(watchdog, ends_a_run_whose_body_comes_back_late_and_the_runtime_goes_on) {
  runtime on(impatient(2, 1000ms));
  graph g(on, "late");
  start_stuck(g);
  std::thread opener([&] {
    std::this_thread::sleep_for(1700ms);
    gate_->open = true;
  });
  expect_error([&] { g.wait(); }, {"late", "1000 ms", "CHANNELS_TIMEOUT", "numbers"});
  opener.join();
  EXPECT_EQ(call<fib>(on, {15}), fib::serial(15));
}

TEST_F(watchdog, counts_across_waits_with_short_deadlines) {
  runtime on(impatient(2, 300ms));
  graph g(on, "polled");
  start_stuck(g);
  const auto begin = clock::now();
  expect_error(
      [&] {
        while (!g.wait(20ms) && clock::now() - begin < 300ms + grace + slack) {
        }
      },
      {"polled", "nothing has gone on"});
}

TEST_F(watchdog, says_who_holds_what_and_who_waits) {
  runtime on(impatient(2, 300ms));
  graph g(on, "report");
  start_stuck(g);
  const std::string message = error_of([&] { g.wait(); });
  // A line of the table: channel, level, capacity, live, ready, in flight, no room, suspended.
  const auto at = message.find("  numbers ");
  ASSERT_NE(at, std::string::npos) << message;
  std::istringstream line(message.substr(at));
  std::string name;
  int level = -1, capacity = -1, live = -1;
  line >> name >> level >> capacity >> live;
  EXPECT_EQ(level, 0);
  EXPECT_EQ(capacity, 16);
  EXPECT_GE(live, 1);
  EXPECT_LE(live, 16);
}

TEST_F(watchdog, ends_a_run_whose_predicate_never_returns) {
  auto on = std::make_unique<runtime>(impatient(1, 200ms));
  graph g(*on, "predicate");
  const auto c = g.channel<int>("numbers", 16);
  g.kernel("end", c, [](auto& /*lane*/, int /*i*/) {});
  g.dispatch_when(c, [where = gate_](const channel_status&) {
    pass(*where);
    return true;
  });
  g.push(c, 1);
  g.execute();
  expect_error([&] { g.wait(); }, {"predicate", "nothing has gone on"});
}

TEST(a_slow_run, is_left_alone_while_it_moves) {
  for (const unsigned units : {1U, 2U}) {
    settings s = impatient(units, 400ms);
    s.wavefront_width = 8;
    runtime on(s);
    graph g(on, "slow");
    const auto c = g.channel<int>("numbers", 64);
    const auto seen = g.accumulator<int>();
    g.kernel(
        "sleep", c,
        [](auto& /*lane*/, int /*i*/, int& sum) {
          std::this_thread::sleep_for(20ms);
          ++sum;
        },
        seen);
    for (int i = 0; i < 50; ++i) g.push(c, i);
    g.execute();
    EXPECT_TRUE(g.wait());
    EXPECT_EQ(seen.value(), 50);
  }
}

TEST(a_run, that_nobody_waits_for_is_not_late_when_somebody_does) {
  runtime on(impatient(1, 100ms));
  graph g(on, "unwatched");
  const auto c = g.channel<int>("numbers", 64);
  g.kernel("end", c, [](auto& /*lane*/, int /*i*/) {});
  g.push(c, 1);
  g.execute();
  std::this_thread::sleep_for(300ms);
  EXPECT_TRUE(g.wait());
}

}  // namespace
}  // namespace channels::testing
