#pragma once

// Tasks that go through channels on a GPU give the answers that they give on the host, with either
// place of the aggregator.

#include <algorithm>  // max
#include <numeric>    // iota
#include <utility>    // pair
#include <vector>     // vector

#include "gpu_setup.hpp"
#include "tasks/chain.hpp"
#include "tasks/fib.hpp"
#include "tasks/queens.hpp"
#include "tasks/sort.hpp"
#include "tasks/strassen.hpp"
#include "tests/channel/seed.hpp"

namespace gpu_channels {

template <class Check>
void with_each_setting(std::size_t minimum_levelized, std::size_t minimum_counted,
                       const Check& check) {
  for (const auto& [place, rule] : {std::pair{aggregator_place::host, readiness::levelized},
                                    std::pair{aggregator_place::host, readiness::counted},
                                    std::pair{aggregator_place::device, readiness::levelized},
                                    std::pair{aggregator_place::device, readiness::counted}}) {
    const std::size_t minimum = rule == readiness::levelized ? minimum_levelized : minimum_counted;
    for (const double forced : {0.0, 0.3}) {
      for (const std::size_t memory : {std::size_t{64} << 20U, minimum}) {
        if (forced > 0 && memory == minimum) continue;  // emulated, that takes minutes
        settings s = on_device(place);
        s.rule = rule;
        s.force_yield = forced;
        s.memory = memory;
        SCOPED_TRACE(::testing::Message()
                     << (rule == readiness::counted ? "counted" : "levelized")
                     << ", aggregator on the "
                     << (place == aggregator_place::host ? "host" : "device") << ", forced yields "
                     << forced << ", " << memory << " bytes");
        runtime on(s);
        check(on);
        if (forced > 0) {
          EXPECT_GT(on.last_run().work.retries + on.last_run().work.yields, 0U);
        }
      }
    }
  }
}

/// Calls `check(runtime)` in ample memory and in what `Task` needs at least.
template <channels::task Task, class Check>
void with_each_setting(std::uint32_t levels, const Check& check) {
  settings s;
  const std::size_t levelized = channels::minimum_memory<Task>(s, levels);
  s.rule = readiness::counted;
  with_each_setting(levelized, channels::minimum_memory<Task>(s, levels), check);
}

TEST(gpu_channels, fib_in_each_setting) {
  with_each_setting<tasks::fib>(
      9, [](runtime& on) { EXPECT_EQ(channels::call<tasks::fib>(on, {9}), tasks::fast_fib(9)); });
}

TEST(gpu_channels, take_what_memory_is_free_where_nobody_says_how_much) {
  settings s = on_device();
  s.memory = 0;
  runtime on(s);
  EXPECT_EQ(call<tasks::fib>(on, {12}), 144);
  EXPECT_EQ(on.last_run().memory_limit, channels::gpu::detail::memory_for_channels());
  EXPECT_GE(on.last_run().memory_limit, std::uint64_t{256} << 20U);
}
TEST(gpu_channels, queens_in_each_setting) {
  with_each_setting<tasks::queens>(8, [](runtime& on) {
    EXPECT_EQ(channels::call<tasks::queens>(on, {tasks::empty_board(5), 0}), 10);
  });
}

TEST(gpu_channels, a_chain_is_as_deep_as_it_is) {
  with_each_setting<tasks::chain>(
      31, [](runtime& on) { EXPECT_EQ(channels::call<tasks::chain>(on, {30}), 30); });
}

TEST(gpu_channels, too_deep_is_an_error_and_the_next_run_is_none) {
  settings s = on_device();
  s.levels = 10;
  runtime on(s);
  try {
    (void)channels::call<tasks::chain>(on, {30});
    FAIL() << "it ended";
  } catch (const channels::error& e) {
    EXPECT_NE(std::string(e.what()).find("CHANNELS_LEVELS"), std::string::npos) << e.what();
  }
  EXPECT_EQ(channels::call<tasks::chain>(on, {5}), 5);
}

/// With room for everything, the aggregator on the device hands a call of the counted rule back
/// when it is over, and not before.
TEST(gpu_channels, counted_frames_stay_on_the_device) {
  settings s = on_device(aggregator_place::device);
  s.rule = readiness::counted;
  runtime on(s);
  EXPECT_EQ(channels::call<tasks::fib>(on, {12}), tasks::fast_fib(12));
  EXPECT_EQ(on.last_run().work.tasks, static_cast<std::uint64_t>(2 * tasks::fast_fib(13) - 1));
  EXPECT_EQ(on.last_run().work.resumed, static_cast<std::uint64_t>(tasks::fast_fib(13) - 1));
  EXPECT_EQ(on.last_run().work.yields, 0U);
  EXPECT_GE(on.last_run().handovers, 1U);
  EXPECT_LE(on.last_run().handovers, 2U);
}

/// Random trees, with settings that are as random: what a frame does depends on neither.
TEST(gpu_channels, frames_of_all_kinds_in_random_settings) {
  channels::testing::for_each_seed(8, [](std::uint64_t seed) {
    channels::testing::dice roll(seed);
    settings s = on_device(roll.once_in(3) ? aggregator_place::host : aggregator_place::device);
    s.rule = roll.once_in(3) ? readiness::levelized : readiness::counted;
    s.batch = roll.power_of_two(2, 12);
    s.capacity = roll.power_of_two(2, 12);
    s.done_group = roll.power_of_two(0, 6);
    const std::uint32_t depth = roll.from(1U, 5U);
    if (roll.once_in(2)) s.memory = channels::minimum_memory<gpu_tasks::moody>(s, depth + 2);
    if (roll.once_in(3)) s.force_yield = 0.2;
    s.seed = seed;
    const gpu_tasks::moody::arguments root{static_cast<std::uint32_t>(seed), depth};
    SCOPED_TRACE(::testing::Message()
                 << (s.rule == readiness::counted ? "counted" : "levelized")
                 << ", aggregator on the "
                 << (s.aggregator == aggregator_place::host ? "host" : "device") << ", batch "
                 << s.batch << ", capacity " << s.capacity << ", done group " << s.done_group
                 << ", " << s.memory << " bytes, forced yields " << s.force_yield << ", depth "
                 << depth);
    runtime on(s);
    EXPECT_EQ(channels::call<gpu_tasks::moody>(on, root), gpu_tasks::moody::serial(root));
  });
}

TEST(gpu_channels, call_each_other_and_write_through_pointers) {
  with_each_setting<gpu_tasks::stamps>(20, [](runtime& on) {
    const shared_array<std::uint8_t> out(on, gpu_tasks::stamps::places(20, 2));
    EXPECT_EQ(channels::call<gpu_tasks::stamps>(on, {out.begin(), 20, 2}),
              2 * static_cast<long>(out.size()));
    for (const std::uint8_t count : out) EXPECT_EQ(count, 2);
  });
}

/// With a cutoff of 16 rows lanes have columns; with one of 64 the group has tiles.
inline void multiply(aggregator_place place, std::ptrdiff_t cutoff) {
  runtime on(on_device(place));
  constexpr std::size_t size = 128;
  const shared_array<float> a(on, size * size);
  const shared_array<float> b(on, size * size);
  const shared_array<float> c(on, size * size);
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = static_cast<float>(i * 7 % 13);
    b[i] = static_cast<float>(i * 5 % 11);
  }
  const auto block = [](const shared_array<float>& m) { return tasks::block{m.begin(), size}; };
  channels::call<tasks::strassen>(on, {block(a), block(b), block(c), size, cutoff});
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) {
      float sum = 0;  // small whole numbers: any order of the sums gives it
      for (std::size_t k = 0; k < size; ++k) sum += a[i * size + k] * b[k * size + j];
      ASSERT_EQ(c[i * size + j], sum) << i << ", " << j;
    }
  }
}
TEST(gpu_channels, strassen_is_the_product) {
  for (const aggregator_place place : both_places) {
    for (const std::ptrdiff_t cutoff : {16, 64}) multiply(place, cutoff);
  }
}

/// Sorts and merges are leaves that wavefronts run together.
TEST(gpu_channels, sort_sorts) {
  for (const auto& [place, rule] : {std::pair{aggregator_place::host, readiness::levelized},
                                    std::pair{aggregator_place::host, readiness::counted},
                                    std::pair{aggregator_place::device, readiness::levelized},
                                    std::pair{aggregator_place::device, readiness::counted}}) {
    settings s = on_device(place);
    s.rule = rule;
    runtime on(s);
    for (const std::size_t size : {1U, 63U, 700U}) {
      const shared_array<int> data(on, size);
      const shared_array<int> scratch(on, size);
      for (std::size_t i = 0; i < size; ++i) data[i] = static_cast<int>(i * 7919 % 1013);
      std::vector<int> sorted(data.begin(), data.end());
      std::sort(sorted.begin(), sorted.end());
      channels::call<tasks::sort>(
          on, {data.begin(), scratch.begin(), static_cast<std::ptrdiff_t>(size), {100, 90}});
      EXPECT_EQ(std::vector<int>(data.begin(), data.end()), sorted) << size;
    }
  }
}

/// Each task copies its values to memory that it allocates for its children.
inline void add_up_blocks(runtime& on, std::size_t count) {
  const shared_array<long> values(on, count);
  std::iota(values.begin(), values.end(), 0L);
  EXPECT_EQ(channels::call<gpu_tasks::blocks>(on, {values.begin(), static_cast<long>(count)}),
            static_cast<long>(count * (count - 1) / 2));
}

TEST(gpu_channels, tasks_that_allocate_in_each_setting) {
  with_each_setting<gpu_tasks::blocks>(6, [](runtime& on) {
    for (const std::size_t count : {0U, 1U, 2U, 40U}) add_up_blocks(on, count);
  });
}

/// Most tasks find no memory when they ask first: they wait for others, and where all wait, one of
/// the deepest goes on with what is kept for that.
TEST(gpu_channels, tasks_that_allocate_wait_for_each_other) {
  for (const auto& [place, rule] : {std::pair{aggregator_place::host, readiness::counted},
                                    std::pair{aggregator_place::device, readiness::levelized}}) {
    settings s = on_device(place);
    s.rule = rule;
    // All tasks together want three times the half that is for anybody; those of one path, little
    // less than it.
    s.memory = 4 * 5000;
    SCOPED_TRACE(::testing::Message()
                 << (rule == readiness::counted ? "counted" : "levelized") << ", aggregator on the "
                 << (place == aggregator_place::host ? "host" : "device"));
    runtime on(s);
    add_up_blocks(on, 200);
    EXPECT_GT(on.last_run().work.yields, 0U);
  }
}

TEST(gpu_channels, tasks_that_allocate_in_random_settings) {
  channels::testing::for_each_seed(4, [](std::uint64_t seed) {
    channels::testing::dice roll(seed);
    settings s = on_device(roll.once_in(2) ? aggregator_place::host : aggregator_place::device);
    s.rule = roll.once_in(2) ? readiness::levelized : readiness::counted;
    s.batch = roll.power_of_two(3, 12);
    s.capacity = roll.power_of_two(2, 12);
    s.done_group = roll.power_of_two(0, 6);
    s.memory = std::size_t{4000} << roll.from(3U, 8U);
    if (roll.once_in(3)) s.force_yield = 0.1;
    s.seed = seed;
    const auto count = roll.from<std::size_t>(1, 60);
    SCOPED_TRACE(::testing::Message()
                 << (s.rule == readiness::counted ? "counted" : "levelized")
                 << ", aggregator on the "
                 << (s.aggregator == aggregator_place::host ? "host" : "device") << ", batch "
                 << s.batch << ", capacity " << s.capacity << ", done group " << s.done_group
                 << ", " << s.memory << " bytes, forced yields " << s.force_yield << ", " << count
                 << " values");
    runtime on(s);
    for (int i = 0; i < 2; ++i) add_up_blocks(on, count);
  });
}

TEST(gpu_channels, too_little_memory_for_what_a_task_allocates_is_an_error) {
  for (const aggregator_place place : both_places) {
    settings s = on_device(place);
    s.memory = 1U << 20U;
    runtime on(s);
    try {
      add_up_blocks(on, 200'000);
      FAIL() << "it ended";
    } catch (const channels::error& e) {
      const std::string said = e.what();
      EXPECT_EQ(said.find("blocks"), 0U) << said;
      EXPECT_NE(said.find("level 0"), std::string::npos) << said;
      EXPECT_NE(said.find(std::to_string(200'000 / 3 * 8)), std::string::npos) << said;
      EXPECT_NE(said.find("CHANNELS_MEMORY"), std::string::npos) << said;
    }
    add_up_blocks(on, 40);
  }
}

}  // namespace gpu_channels
