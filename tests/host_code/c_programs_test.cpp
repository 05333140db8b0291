// Cilk programs in C compute what they compute serially, whichever children are given away.

#include <gtest/gtest.h>
#include <pthread.h>       // pthread_attr_setstacksize
#include <sys/resource.h>  // setrlimit

#include <cstdlib>  // free
#include <numeric>  // accumulate
#include <string>   // string
#include <thread>   // thread
#include <vector>   // vector

#include "tests/host_code/programs.h"
#include "tests/host_code/schedules.hpp"

namespace channels::testing {
namespace {

long serial_fib(long n) { return n < 2 ? n : serial_fib(n - 1) + serial_fib(n - 2); }

TEST(c_program, fib_is_the_serial_one) {
  for_each_schedule(40, [] {
    EXPECT_EQ(fib(18), 2584);
    EXPECT_EQ(fib(1), 1);
  });
}

TEST(c_program, fib_is_right_when_there_is_time_to_steal) {
  for (unsigned workers = 1; workers <= 4; ++workers) {
    with_schedule(workers, giving::automatic, 1,
                  [] { EXPECT_EQ(fib(slower > 1 ? 27 : 32), serial_fib(slower > 1 ? 27 : 32)); });
  }
}

TEST(c_program, queens_with_boards_from_alloca_are_the_serial_ones) {
  for_each_schedule(20, [] {
    EXPECT_EQ(queens(6), 4);
    EXPECT_EQ(queens(8), 92);
  });
  with_schedule(3, giving::automatic, 1, [] { EXPECT_EQ(queens(10), 724); });
}

TEST(c_program, a_chain_in_which_every_frame_gives_is_the_serial_one) {
  for_each_schedule(10, [] {
    EXPECT_EQ(chain(0), 0);
    EXPECT_EQ(chain(2000), 2000);
  });
}

/// Runs `body` in a thread with a stack of `bytes`.
template <class Body>
void with_stack(std::size_t bytes, Body body) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, bytes), 0);
  pthread_t thread{};
  ASSERT_EQ(pthread_create(
                &thread, &attributes,
                [](void* b) -> void* {
                  (*static_cast<Body*>(b))();
                  return nullptr;
                },
                &body),
            0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

/// One level of the serial chain takes some 100 bytes, ten times as much with a sanitizer, which
/// also has its own limits.
constexpr std::size_t enough = std::size_t{16} << 20U;
constexpr long deep = slower > 1 ? 10'000 : 100'000;

TEST(c_program, a_deep_recursion_needs_little_more_stack_than_the_serial_one) {
  for (unsigned workers = 1; workers <= 3; ++workers) {
    with_schedule(workers, giving::automatic, 1,
                  [] { with_stack(enough, [] { EXPECT_EQ(chain(deep), deep); }); });
  }
}

TEST(c_program, a_deep_recursion_in_which_everything_is_given_ends) {
  for (const giving give : {giving::always, giving::random}) {
    for (unsigned workers = 1; workers <= 2; ++workers) {
      with_schedule(workers, give, 3,
                    [] { with_stack(4 * enough, [] { EXPECT_EQ(chain(deep), deep); }); });
    }
  }
}

TEST(c_program, a_lopsided_tree_is_the_serial_one) {
  const long n = slower > 1 ? 20'000 : 300'000;
  long expected = 0;
  with_schedule(1, giving::never, 1, [&] { expected = lopsided(n); });
  for_each_schedule(5, [&] { EXPECT_EQ(lopsided(n), expected); });
}

TEST(c_program, that_returns_without_a_sync_has_joined_its_children) {
  for_each_schedule(20, [] {
    for (long n = 10; n < 14; ++n) {
      long target = -1;
      EXPECT_EQ(leaves_early(&target, n), n % 2 == 0 ? 1 : 2);
      EXPECT_EQ(target, serial_fib(n));
    }
  });
}

TEST(c_program, compound_assignments_happen_in_serial_order) {
  for_each_schedule(60, [] {
    for (const int n : {1, 2, 5, 40})
      EXPECT_EQ(assigns_in_order(n), assigns_in_order_serially(n)) << n;
  });
}

TEST(c_program, structs_are_passed_and_returned) {
  const five from{{1, 2, 3, 4, 5}};
  five expected{};
  with_schedule(1, giving::never, 1, [&] { expected = sums(from, 6); });
  for_each_schedule(20, [&] {
    const five result = sums(from, 6);
    for (int i = 0; i < 5; ++i) EXPECT_EQ(result.of[i], expected.of[i]) << i;
  });
}

TEST(c_program, many_tiny_regions_are_all_run) {
  for_each_schedule(3, [] { EXPECT_EQ(many_syncs(3000), 6000); });
}

TEST(c_program, a_cilk_for_runs_every_iteration_once) {
  for_each_schedule(10, [] {
    for (const std::uint64_t n : {0ULL, 1ULL, 2ULL, 17ULL, 5000ULL}) {
      for (const std::uint64_t grain : {0ULL, 1ULL, 7ULL, 10000ULL}) {
        std::vector<std::uint64_t> target(n, 1);
        squares(target.data(), n, grain);
        for (std::uint64_t i = 0; i < n; ++i) ASSERT_EQ(target[i], i * i + 1) << n << ' ' << grain;
      }
    }
  });
}

TEST(c_program, a_cilk_for_in_a_cilk_for_with_a_reducer_is_the_serial_one) {
  std::uint64_t expected = 0;
  for (std::uint64_t row = 0; row < 100; ++row) {
    for (std::uint64_t i = 0; i < row; ++i) expected += row ^ i;
  }
  for_each_schedule(20, [&] { EXPECT_EQ(triangle(100), expected); });
}

std::string numbers_below(long n, bool by_loop) {
  char* const written = numbers(n, by_loop ? 1 : 0);
  std::string text = written;
  std::free(written);
  return text;
}

TEST(c_program, a_reducer_that_does_not_commute_gathers_in_serial_order) {
  std::string expected;
  for (int i = 0; i < 600; ++i) expected += std::to_string(i) + ' ';
  for_each_schedule(60, [&] {
    EXPECT_EQ(numbers_below(600, false), expected);
    EXPECT_EQ(numbers_below(600, true), expected);
  });
}

}  // namespace
}  // namespace channels::testing
