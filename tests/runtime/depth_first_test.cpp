// Tasks in depth-first order: the same tasks, the same answers, on the stack.

#include "channels/depth_first.hpp"

#include <gtest/gtest.h>

#include <numeric>  // iota
#include <thread>   // thread

#include "channels/cilk/spawn.hpp"
#include "examples/tasks/queens.hpp"
#include "examples/tasks/sort.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/shapes.hpp"
#include "tests/support/tasks.hpp"

namespace channels::testing {
namespace {

/// Chooses the process's workers for one test, and what they give.
void workers(std::uint32_t units, giving give, std::uint64_t seed = 1,
             std::size_t megabytes = 256) {
  settings s;
  s.memory = megabytes << 20U;
  s.compute_units = units;
  s.give = give;
  s.seed = seed;
  cilk::use(s);
}

void expect_all_answers() {
  EXPECT_EQ(call_depth_first<fib>({17}), fib::serial(17));
  EXPECT_EQ(call_depth_first<tree>({3, 6}), tree::serial(3, 6));
  EXPECT_EQ(call_depth_first<male>({11}), male::serial(11));
  std::atomic<long> count{0};
  call_depth_first<leaves>({4, &count});
  EXPECT_EQ(count.load(), 81);
  EXPECT_EQ(call_depth_first<alloca_queens>({6, 0, nullptr}), 4);
  const tasks::chess_board board = tasks::empty_board(7);
  EXPECT_EQ(call_depth_first<tasks::queens>({board, 0}), 40);
  std::vector<int> data(3000);
  std::vector<int> scratch(data.size());
  std::iota(data.rbegin(), data.rend(), 0);
  call_depth_first<tasks::sort>({data.data(), scratch.data(), 3000, {16, 16}});
  EXPECT_TRUE(std::is_sorted(data.begin(), data.end()));
}

TEST(depth_first, gives_the_serial_answers) {
  workers(1, giving::automatic);
  expect_all_answers();
}

TEST(depth_first, gives_the_serial_answers_whatever_children_are_given_away) {
  for (const std::uint32_t units : {1U, 2U, 4U}) {
    SCOPED_TRACE(units);
    workers(units, giving::always);
    expect_all_answers();
    for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(scaled(8)); ++seed) {
      workers(units, giving::random, seed);
      expect_all_answers();
    }
    workers(units, giving::automatic);
    expect_all_answers();
  }
}

TEST(depth_first, serves_threads_of_the_program_at_once) {
  workers(2, giving::automatic);
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) threads.emplace_back(expect_all_answers);
  for (std::thread& t : threads) t.join();
}

// The thread sanitizer keeps the calls of a thread in a stack of its own, which is not that deep.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define CHANNELS_SHALLOW 1
#endif
#endif
#if !defined(CHANNELS_SHALLOW)

TEST(depth_first, goes_on_beyond_the_threads_stack) {
  workers(1, giving::automatic);
  EXPECT_EQ(call_depth_first<chain>({500'000}), 500'000);
  workers(3, giving::always);
  EXPECT_EQ(call_depth_first<chain>({300'000}), 300'000);
}

TEST(depth_first, without_memory_for_the_stack_is_an_error_that_names_the_setting) {
  for (const std::uint32_t units : {1U, 2U}) {
    workers(units, giving::automatic, 1, 20);
    expect_error([] { (void)call_depth_first<chain>({1'000'000'000}); },
                 {"depth-first", "level ", "set CHANNELS_MEMORY to ", " or higher"});
    expect_all_answers();
  }
}

#endif

}  // namespace
}  // namespace channels::testing
