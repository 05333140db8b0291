// The program's own threads and threads of oneTBB call Cilk functions.

#include <gtest/gtest.h>
#include <oneapi/tbb/parallel_for.h>  // parallel_for

#include <sys/wait.h>  // waitpid
#include <unistd.h>    // fork

#include <thread>  // thread
#include <vector>  // vector

#include "tests/host_code/programs.h"
#include "tests/host_code/schedules.hpp"

namespace channels::testing {
namespace {

TEST(threads_of_the_program, may_all_call_cilk_functions) {
  for_each_schedule(5, [] {
    std::vector<long> results(5);
    std::vector<std::thread> threads;
    for (long& r : results) threads.emplace_back([&r] { r = fib(16); });
    EXPECT_EQ(fib(15), 610);
    for (std::thread& t : threads) t.join();
    for (const long r : results) EXPECT_EQ(r, 987);
  });
}

TEST(threads_of_the_program, may_come_and_go) {
  for_each_schedule(2, [] {
    for (int i = 0; i < 60; ++i) {
      std::thread([] { EXPECT_EQ(queens(5), 10); }).join();
    }
  });
}

TEST(threads_of_the_program, get_help_from_workers) {
  with_schedule(3, giving::automatic, 1, [] {
    std::thread a([] { EXPECT_EQ(fib(slower > 1 ? 22 : 30), slower > 1 ? 17711 : 832040); });
    std::thread b([] { EXPECT_EQ(queens(slower > 1 ? 6 : 10), slower > 1 ? 4 : 724); });
    a.join();
    b.join();
  });
}

TEST(a_forked_process, goes_on_alone) {
  for (const giving give : {giving::automatic, giving::always}) {
    with_schedule(3, give, 1, [] {
      EXPECT_EQ(fib(18), 2584);
      const pid_t child = fork();
      if (child == 0) _exit(fib(18) == 2584 && queens(5) == 10 ? 0 : 1);
      int status = -1;
      ASSERT_EQ(waitpid(child, &status, 0), child);
      EXPECT_EQ(status, 0);
      EXPECT_EQ(fib(18), 2584);
    });
  }
}

// The thread sanitizer does not see what oneTBB's library passes between threads.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define CHANNELS_WITHOUT_ONETBB
#endif
#endif
#if !defined(CHANNELS_WITHOUT_ONETBB)

TEST(threads_of_onetbb, may_call_cilk_functions) {
  for_each_schedule(5, [] {
    std::vector<long> results(20);
    oneapi::tbb::parallel_for(0, 20,
                              [&](int i) { results[static_cast<std::size_t>(i)] = fib(i % 12); });
    for (std::size_t i = 0; i < results.size(); ++i)
      EXPECT_EQ(results[i], fib(static_cast<long>(i) % 12));
  });
}

TEST(cilk_functions, may_call_onetbb) {
  with_schedule(2, giving::always, 1, [] {
    std::vector<long> results(8);
    cilk::for_each_index(8, 1, [&](std::uint64_t i) {
      std::vector<long> parts(10);
      oneapi::tbb::parallel_for(0, 10, [&](int k) { parts[static_cast<std::size_t>(k)] = fib(k); });
      for (const long p : parts) results[i] += p;
    });
    for (const long r : results) EXPECT_EQ(r, 88);
  });
}

#endif

}  // namespace
}  // namespace channels::testing
