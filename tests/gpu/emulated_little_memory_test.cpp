// The GPU's scheduler with little memory, on the emulated device: from a stated minimum upward
// every run gives its serial answer, with whatever is denied at random.
#define CHANNELS_GPU_EMULATED

#include <gtest/gtest.h>

#include <algorithm>  // count
#include <numeric>    // iota
#include <string>     // string
#include <vector>     // vector

#include "channels/gpu/scheduler/caller.hpp"
#include "emulated_caller.hpp"
#include "gpu_tasks.hpp"
#include "tasks/chain.hpp"
#include "tasks/queens.hpp"
#include "tasks/sort.hpp"

namespace {

using channels::gpu::stacks;
using tasks::fast_fib;

/// `check(call)` with `Task` in a pool of `least` bytes and more, up to `most`, where nothing is
/// short. Runs with the least memory have to use the reserve.
template <class Task, stacks Simplest = stacks::summing, class Check>
void with_little_memory(std::size_t least, std::size_t most, Check check) {
  unsigned seed = 1;
  std::uint64_t uses = 0;
  for (std::size_t bytes = least; bytes <= most; bytes += bytes / 2 / 16 * 16) {
    for (const double force_yield : {0.0, 0.1}) {
      for (const unsigned waves : {1U, 2U, 5U}) {
        emulated_caller::caller<Task, Simplest> call(waves, force_yield, ++seed, bytes);
        check(call);
        ASSERT_FALSE(testing::Test::HasFatalFailure())
            << bytes << " bytes, seed " << seed << ", " << waves << " wavefronts, failure "
            << static_cast<int>(call.why());
        if (bytes == least) uses += call.counted().reserve.uses;
      }
    }
    ASSERT_GT(uses, 0U) << least << " bytes are enough without the reserve";
  }
}

TEST(little_memory, fib_with_frames) {
  with_little_memory<gpu_tasks::fib_shared>(4U << 10U, 32U << 10U, [](auto& call) {
    for (const int n : {1, 2, 12}) {
      ASSERT_TRUE(call({n}));
      ASSERT_EQ(call.result(), fast_fib(n));
    }
  });
}

TEST(little_memory, a_chain) {
  with_little_memory<tasks::chain, stacks::pooled>(13U << 10U, 40U << 10U, [](auto& call) {
    for (const long n : {1L, 300L}) {
      ASSERT_TRUE(call({n}));
      ASSERT_EQ(call.result(), n);
    }
  });
}

TEST(little_memory, stacks_of_lanes) {
  with_little_memory<tasks::fib, stacks::lane_private>(1U << 10U, 4U << 10U, [](auto& call) {
    for (const int n : {1, 2, 18}) {
      ASSERT_TRUE(call({n}));
      ASSERT_EQ(call.result(), fast_fib(n));
    }
  });
}

TEST(little_memory, a_chain_on_stacks_of_lanes) {
  with_little_memory<tasks::chain>(13U << 10U, 40U << 10U, [](auto& call) {
    for (const long n : {1L, 300L}) {
      ASSERT_TRUE(call({n}));
      ASSERT_EQ(call.result(), n);
    }
  });
}

TEST(little_memory, stacks_of_lanes_with_tasks_that_differ) {
  with_little_memory<gpu_tasks::stamps>(608, 4U << 10U, [](auto& call) {
    constexpr std::uint16_t count = 50;
    constexpr std::uint8_t depth = 4;
    std::vector<std::uint8_t> out(gpu_tasks::stamps::places(count, depth));
    ASSERT_TRUE(call({out.data(), count, depth}));
    ASSERT_EQ(call.result(), 2 * static_cast<long>(out.size()));
    ASSERT_EQ(std::count(out.begin(), out.end(), 2), static_cast<std::ptrdiff_t>(out.size()));
  });
}

TEST(little_memory, tasks_that_wait_several_times) {
  with_little_memory<gpu_tasks::moody>(6U << 10U, 32U << 10U, [](auto& call) {
    for (unsigned i = 1; i < 4; ++i) {
      const gpu_tasks::moody::arguments a{i, 4};
      ASSERT_TRUE(call(a));
      ASSERT_EQ(call.result(), gpu_tasks::moody::serial(a));
    }
  });
}

TEST(little_memory, loops_that_spawn) {
  with_little_memory<gpu_tasks::fill>(9U << 10U, 64U << 10U, [](auto& call) {
    constexpr std::uint32_t count = 300;
    std::vector<std::uint32_t> expected(count);
    std::vector<std::uint16_t> expected_sizes(count);
    gpu_tasks::serial_fill(expected, expected_sizes, 0, count);
    std::vector<std::uint32_t> out(count);
    std::vector<std::uint16_t> sizes(count);
    ASSERT_TRUE(call({out.data(), sizes.data(), 0, count}));
    ASSERT_EQ(out, expected);
    ASSERT_EQ(sizes, expected_sizes);
  });
}

TEST(little_memory, queens_in_a_loop) {
  with_little_memory<tasks::queens>(6U << 10U, 40U << 10U, [](auto& call) {
    ASSERT_TRUE(call(tasks::queens::whole(6)));
    ASSERT_EQ(call.result(), 4);
  });
}

TEST(little_memory, loops_that_sum_up_with_frames) {
  with_little_memory<gpu_tasks::mark_binomial, stacks::pooled>(
      9U << 10U, 64U << 10U, [](auto& call) {
        constexpr std::uint32_t size = 8;
        std::vector<std::uint8_t> out(std::size_t{2} << size);
        ASSERT_TRUE(call({out.data(), out.data() + (std::size_t{1} << size), size}));
        ASSERT_EQ(call.result(), 1U << size);
        ASSERT_EQ(std::count(out.begin(), out.end(), 1), (2 << size) - 1);
      });
}

TEST(little_memory, tasks_that_allocate) {
  std::vector<long> values(300);
  std::iota(values.begin(), values.end(), 0L);
  with_little_memory<gpu_tasks::blocks>(20U << 10U, 80U << 10U, [&](auto& call) {
    for (const long count : {1L, 7L, 300L}) {
      ASSERT_TRUE(call({values.data(), count}));
      ASSERT_EQ(call.result(), count * (count - 1) / 2);
    }
  });
}

TEST(little_memory, leaves_of_the_whole_wavefront) {
  with_little_memory<tasks::sort>(10U << 10U, 48U << 10U, [](auto& call) {
    constexpr std::size_t size = 1500;
    std::vector<int> data(size);
    std::vector<int> scratch(size);
    for (std::size_t i = 0; i < size; ++i) data[i] = static_cast<int>(i * 7919 % 1013);
    std::vector<int> sorted = data;
    std::sort(sorted.begin(), sorted.end());
    ASSERT_TRUE(call({data.data(), scratch.data(), static_cast<std::ptrdiff_t>(size), {50, 40}}));
    ASSERT_EQ(data, sorted);
  });
}

TEST(little_memory, too_little_for_one_chain_is_an_error_and_the_next_run_is_none) {
  channels::settings s;
  s.memory = 64U << 10U;
  channels::gpu::caller<tasks::chain, stacks::pooled> call(s);
  try {
    call({100'000});
    ADD_FAILURE();
  } catch (const channels::error& e) {
    const std::string said = e.what();
    for (const char* const part :
         {"task chain, level ", " bytes)", "although it runs alone and depth first",
          "CHANNELS_MEMORY", "now 65536"})
      EXPECT_NE(said.find(part), std::string::npos) << said;
  }
  EXPECT_EQ(call({20}), 20);
}

}  // namespace
