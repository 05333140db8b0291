// Where calls of CHANNELS_DEVICE=auto run: the choices for given times.

#include "runtime/compiled_program/call_history.hpp"

#include <gtest/gtest.h>

#include <chrono>      // literals
#include <functional>  // function

namespace channels::cilk {
namespace {

using namespace std::chrono_literals;
using duration = call_history::duration;

/// A function whose calls take as long as these say, and what its calls have taken so far.
struct simulated {
  std::function<duration(double)> host;
  std::function<duration(double)> device;
  bool suits = true;
  duration start = 250ms;
  duration move = 0ms;
  call_history history{};
  bool started = false;
  bool there = false;  ///< the program's memory
  duration took{};
  duration at_best{};
  int on_device = 0;

  call_side call(double size) {
    const call_side side = history.choose({size}, {started, suits, move}).side;
    duration its = side == call_side::host ? host(size) : device(size);
    if (side == call_side::device && !there) its += move;
    there = side == call_side::device;
    at_best += std::min(host(size), device(size));
    if (side == call_side::device) {
      ++on_device;
      if (!started) took += start;
      // Kernels are loaded and memory moves.
      if (!started) its += 15ms;
      started = true;
    }
    history.ran(side, {size}, its);
    took += its;
    return side;
  }
  /// The side of the last of `times` calls.
  call_side calls(double size, int times) {
    call_side last = call_side::host;
    for (int i = 0; i < times; ++i) last = call(size);
    return last;
  }
};

TEST(call_history, short_calls_never_leave_the_host) {
  simulated f{[](double) { return 30us; }, [](double) { return 1us; }};
  EXPECT_EQ(f.calls(20, 100'000), call_side::host);
  EXPECT_EQ(f.on_device, 0);
}

TEST(call_history, long_calls_go_to_a_faster_device_after_the_first) {
  simulated f{[](double) { return 2s; }, [](double) { return 100ms; }};
  EXPECT_EQ(f.call(40), call_side::host);
  EXPECT_EQ(f.calls(40, 10), call_side::device);
  EXPECT_EQ(f.on_device, 10);
}

TEST(call_history, what_only_the_first_run_costs_is_not_held_against_the_device) {
  simulated f{[](double) { return 10ms; }, [](double) { return 1ms; }};
  EXPECT_EQ(f.calls(40, 100), call_side::device);
  EXPECT_GE(f.on_device, 50);
}

TEST(call_history, short_steps_on_much_memory_go_to_a_faster_device) {
  simulated f{[](double) { return 3ms; }, [](double) { return 1ms; }, false};
  f.move = 20ms;
  EXPECT_EQ(f.calls(4096, 600), call_side::device);
  EXPECT_GE(f.on_device, 450);
}

TEST(call_history, a_slower_device_is_left_after_one_try) {
  simulated f{[](double) { return 100ms; }, [](double) { return 900ms; }};
  EXPECT_EQ(f.calls(40, 500), call_side::host);
  EXPECT_EQ(f.on_device, 1);
  EXPECT_LT(f.took, 1.1 * f.at_best);
}

TEST(call_history, where_nothing_speaks_for_the_device_a_try_waits_until_it_is_paid_for) {
  simulated f{[](double) { return 1s; }, [](double) { return 15s; }, false};
  EXPECT_EQ(f.calls(40, 3), call_side::host);
  EXPECT_EQ(f.on_device, 0);
  EXPECT_EQ(f.calls(40, 20), call_side::host);
  EXPECT_EQ(f.on_device, 1);
}

TEST(call_history, calls_of_like_sizes_are_one) {
  simulated f{[](double) { return 50ms; }, [](double) { return 5ms; }};
  for (int step = 1000; step < 1100; ++step) f.call(step);
  EXPECT_GE(f.on_device, 90);
}

TEST(call_history, each_size_goes_where_it_is_faster) {
  const auto host = [](double n) { return duration(static_cast<long>(n * 1000)); };
  const auto device = [](double n) { return duration(static_cast<long>(2'000'000 + n * 50)); };
  simulated f{host, device};
  f.calls(100, 300);      // 0.1 ms against 2
  f.calls(100'000, 100);  // 100 ms against 7
  f.calls(100, 300);
  EXPECT_EQ(f.call(100'000), call_side::device);
  EXPECT_EQ(f.call(100), call_side::host);
}

TEST(call_history, a_device_that_suits_and_is_ready_gets_the_first_call) {
  simulated f{[](double) { return 10s; }, [](double) { return 100ms; }};
  f.started = true;
  EXPECT_EQ(f.calls(4096, 5), call_side::device);
  EXPECT_EQ(f.on_device, 5);
}

TEST(call_history, a_device_that_got_the_first_call_and_is_slower_is_left) {
  simulated f{[](double) { return 100ms; }, [](double) { return 500ms; }};
  f.started = true;
  EXPECT_EQ(f.calls(4096, 20), call_side::host);
  EXPECT_EQ(f.on_device, 8);
}

TEST(call_history, a_short_first_call_of_the_device_is_compared_with_the_host) {
  simulated f{[](double) { return 200us; }, [](double) { return 1ms; }};
  f.started = true;
  EXPECT_EQ(f.calls(64, 10), call_side::host);
}

TEST(call_history, what_all_tries_cost_is_bounded) {
  // The device is ten times as slow, and each call has another size.
  simulated f{[](double n) { return duration(static_cast<long>(n * 1e6)); },
              [](double n) { return duration(static_cast<long>(n * 1e7)); }};
  for (int round = 0; round < 20; ++round) {
    for (double size = 1; size < 3000; size *= 3) f.calls(size, 5);
  }
  EXPECT_LT(f.took, 2 * f.at_best);
}

TEST(call_sizes, are_as_far_apart_as_the_largest_ratio) {
  EXPECT_EQ(call_sizes({4.0, 8.0}).factor_to({4.0, 8.0}), 1);
  EXPECT_EQ(call_sizes({4.0, 8.0}).factor_to({2.0, 32.0}), 4);
  EXPECT_GT(call_sizes({4.0}).factor_to({-4.0}), 1);
  EXPECT_EQ(call_sizes({}).factor_to({}), 1);
}

}  // namespace
}  // namespace channels::cilk
