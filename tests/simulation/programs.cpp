#include "tests/simulation/programs.hpp"

#include <gtest/gtest.h>

#include <array>        // array
#include <atomic>       // atomic
#include <chrono>       // microseconds
#include <cstdlib>      // free
#include <exception>    // exception
#include <stdexcept>    // runtime_error
#include <string>       // string
#include <string_view>  // string_view
#include <thread>       // jthread, sleep_for
#include <vector>       // vector

#include "channels/graph.hpp"
#include "tests/host_code/programs.h"
#include "tests/host_code/schedules.hpp"
#include "tests/support/random_graphs.hpp"
#include "tests/support/shapes.hpp"
#include "tests/support/tasks.hpp"

namespace channels::testing {
namespace {

bool says(const std::string& message, std::string_view what) {
  return message.find(what) != std::string::npos;
}

/// Random graphs, fed by a thread or before they run, with refusals.
void run_graph(dice& d) {
  settings how = with_units(d.power_of_two(0, 2));
  how.wavefront_width = d.from(8U, 16U);
  random_graphs::check(d.from(std::uint64_t{0}, ~std::uint64_t{0}), how);
}

void run_tasks(dice& d) {
  runtime on(random_shape(d));
  SCOPED_TRACE(::testing::Message() << on.options());
  const int n = d.from(0, 9);
  EXPECT_EQ(call<fib>(on, {n}), fib::serial(n));
  const int depth = d.from(0, 3);
  const int width = d.from(0, depth > 2 ? 3 : 5);
  EXPECT_EQ(call<tree>(on, {depth, width}), tree::serial(depth, width));
  std::atomic<long> count{0};
  call<leaves>(on, {d.from(0, 2), &count});
}

/// A run that another thread stops, whose runtime is destroyed, or whose body throws: it ends with
/// its answer or an error that says which.
void run_stopped(dice& d) {
  runtime on(random_shape(d));
  graph g(on, "counting");
  const unsigned last = d.from(1U, 60U);
  const unsigned bad = d.once_in(2) ? d.from(0U, 80U) : ~0U;
  auto numbers = g.channel<unsigned>("numbers", 64);
  const auto sum = g.accumulator<std::uint64_t>();
  g.kernel(
      "next", numbers,
      [last, bad](auto& lane, unsigned n, std::uint64_t& to, auto& more) {
        if (n == bad) throw std::runtime_error("a bad number");
        if (n < last && !more.reserve(1)) return lane.retry();
        to += n;
        if (n < last) more.push(n + 1);
        return lane.done();
      },
      sum, up_to(1, numbers));
  g.push(numbers, 0U);
  const auto after = std::chrono::microseconds(d.from(0, 400));
  const bool stops = d.once_in(2);
  std::string message;
  {
    g.execute();
    std::jthread stopper;
    if (stops) {
      stopper = std::jthread([&on, after] {
        std::this_thread::sleep_for(after);
        on.stop();
      });
    }
    try {
      EXPECT_TRUE(g.wait(std::chrono::seconds(60)));
    } catch (const std::exception& e) {
      message = e.what();
    }
  }
  if (message.empty()) {
    EXPECT_EQ(sum.value(), std::uint64_t{last} * (last + 1) / 2);
    EXPECT_TRUE(bad > last);
  } else {
    EXPECT_TRUE((stops && says(message, "stopped by request")) ||
                (bad <= last && says(message, "a bad number")))
        << message;
  }
}

giving draw_giving(dice& d) {
  constexpr std::array all{giving::automatic, giving::always, giving::random};
  return all.at(d.from(std::size_t{0}, all.size() - 1));
}

void run_host_code(dice& d) {
  with_schedule(d.from(1U, 4U), draw_giving(d), d.from(std::uint64_t{1}, ~std::uint64_t{0}), [&] {
    const int n = d.from(1, 11);
    EXPECT_EQ(::fib(n), testing::fib::serial(n));
    constexpr std::array solutions{2, 10, 4};  // of 4, 5 and 6 queens
    const int rows = d.from(4, 6);
    EXPECT_EQ(queens(rows), solutions.at(static_cast<std::size_t>(rows - 4)));
    EXPECT_EQ(::chain(d.from(0, 20) * 10) % 10, 0);
    const int terms = d.from(0, 30);
    EXPECT_EQ(assigns_in_order(terms), assigns_in_order_serially(terms));
  });
}

void run_loops(dice& d) {
  with_schedule(d.from(1U, 4U), draw_giving(d), d.from(std::uint64_t{1}, ~std::uint64_t{0}), [&] {
    const auto n = d.from(std::uint64_t{0}, 60);
    std::vector<std::uint64_t> target(n);
    squares(target.data(), n, d.from(std::uint64_t{0}, 5));
    for (std::uint64_t i = 0; i < n; ++i) EXPECT_EQ(target[i], i * i);
    // A reducer whose operation does not commute.
    const long count = d.from(0L, 40);
    char* const text = numbers(count, d.once_in(2) ? 1 : 0);
    std::string expected;
    for (long i = 0; i < count; ++i) expected += std::to_string(i) + ' ';
    EXPECT_EQ(text == nullptr ? std::string() : std::string(text), expected);
    std::free(text);
  });
}

/// Threads of the program that use the runtime at the same time: runs of their own, and host code.
void run_threads(dice& d) {
  settings s = with_units(d.from(1U, 3U));
  s.give = draw_giving(d);
  s.seed = d.from(std::uint64_t{1}, ~std::uint64_t{0});
  cilk::use(s);
  const settings shape = random_shape(d);
  const int n = d.from(2, 8);
  std::vector<std::string> messages(d.from(2U, 3U));
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < messages.size(); ++i) {
      threads.emplace_back([&, i] {
        try {
          runtime on(shape);
          EXPECT_EQ(call<fib>(on, {n}), fib::serial(n));
          EXPECT_EQ(::fib(n + 2), fib::serial(n + 2));
          EXPECT_EQ(call<tree>(on, {2, 3}), tree::serial(2, 3));
        } catch (const std::exception& e) {
          messages[i] = e.what();
        }
      });
    }
  }
  for (const std::string& message : messages) {
    if (!message.empty()) throw error(message);
  }
}

}  // namespace

void run_program(unsigned kind, std::uint64_t seed, bool threads_may_lack) {
  dice d(seed);
  constexpr std::array run{run_graph, run_tasks,   run_stopped,  run_host_code,
                           run_loops, run_threads, run_on_device};
  static_assert(run.size() == number_of_kinds);
  try {
    run.at(kind)(d);
  } catch (const std::exception& e) {
    const std::string message = e.what();
    EXPECT_TRUE(threads_may_lack && (says(message, "no thread for the aggregator") ||
                                     says(message, "Resource temporarily unavailable")))
        << message;
  }
}

namespace {

settings alone() {
  settings s = with_units(1);
  s.memory = std::uint64_t{1} << 28U;
  return s;
}

/// `each` elements that go through `size` nodes.
void pipeline(unsigned size, unsigned each) {
  runtime on(alone());
  graph g(on, "pipeline");
  std::vector<channel_node<unsigned>> numbers;
  for (unsigned i = 0; i <= size; ++i)
    numbers.push_back(g.channel<unsigned>("c" + std::to_string(i), 1024));
  const auto sum = g.accumulator<std::uint64_t>();
  for (unsigned i = 0; i < size; ++i) {
    g.kernel(
        "n" + std::to_string(i), numbers[i],
        [](auto& lane, unsigned n, auto& next) {
          if (!next.reserve(1)) return lane.retry();
          next.push(n);
          return lane.done();
        },
        up_to(1, numbers[i + 1]));
  }
  g.kernel("last", numbers[size], [](auto&, unsigned n, std::uint64_t& to) { to += n; }, sum);
  for (unsigned n = 0; n < each; ++n) g.push(numbers[0], n);
  g.execute();
  EXPECT_TRUE(g.wait(std::chrono::seconds(600)));
  EXPECT_EQ(sum.value(), std::uint64_t{each} * (each - 1) / 2);
}

}  // namespace

const std::vector<growth> growths{
    {"depth", 1000, 8000, 8.8,
     [](unsigned n) {
       runtime on(alone());
       EXPECT_EQ(call<testing::chain>(on, {static_cast<int>(n)}), static_cast<long>(n));
     }},
    {"width", 1000, 8000, 8.8,
     [](unsigned n) {
       runtime on(alone());
       std::atomic<long> count{0};
       call<wide>(on, {static_cast<int>(n), &count});
       EXPECT_EQ(count.load(), static_cast<long>(n));
     }},
    {"elements", 1000, 8000, 8.8, [](unsigned n) { pipeline(4, n); }},
    {"channels", 8, 64, 8.8, [](unsigned n) { pipeline(n, 256); }},
    {"workers", 1, 8, 8.8,
     [](unsigned n) {
       runtime on(with_units(n));
       EXPECT_EQ(call<testing::fib>(on, {15}), testing::fib::serial(15));
     }},
    {"depth of host code", 1000, 8000, 8.8,
     [](unsigned n) {
       with_schedule(1, giving::always, 1, [n] { EXPECT_EQ(::chain(n), static_cast<long>(n)); });
     }},
    {"workers of host code", 1, 8, 8.8,
     [](unsigned n) {
       with_schedule(n, giving::always, 1, [] { EXPECT_EQ(::fib(15), testing::fib::serial(15)); });
     }},
};

}  // namespace channels::testing
