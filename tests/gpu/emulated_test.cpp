// The GPU's scheduler on the emulated device, also under ThreadSanitizer: how wavefronts give
// children away, and how frames wait for them and go on elsewhere.
#define CHANNELS_GPU_EMULATED

#include <gtest/gtest.h>

#include <algorithm>  // count, fill, max, min
#include <atomic>     // atomic
#include <barrier>    // barrier
#include <bit>        // popcount
#include <chrono>     // milliseconds, seconds, steady_clock
#include <numeric>    // iota
#include <string>     // string
#include <thread>     // thread
#include <vector>     // vector

#include "channels/gpu/scheduler/kernel.hpp"
#include "emulated_caller.hpp"
#include "gpu_tasks.hpp"
#include "tasks/chain.hpp"
#include "tasks/queens.hpp"
#include "tasks/sort.hpp"
#include "tasks/strassen.hpp"

namespace {

using tasks::fast_fib;
using tasks::tasks_of_fib;

using emulated_caller::caller;
namespace detail = channels::gpu::detail;
using channels::gpu::stacks;

// The first kind that can keep the tasks, from the given one on.
template <class Root, stacks Simplest>
constexpr stacks kept_in = detail::task_set<detail::tasks_of<Root>, Simplest>::kept_in;
static_assert(kept_in<tasks::fib, stacks::summing> == stacks::summing);
static_assert(kept_in<tasks::fib, stacks::lane_private> == stacks::lane_private);
static_assert(kept_in<tasks::fib, stacks::pooled> == stacks::pooled);
static_assert(kept_in<tasks::queens, stacks::summing> == stacks::pooled);
static_assert(kept_in<tasks::loop_queens, stacks::summing> == stacks::summing);
static_assert(kept_in<tasks::loop_queens, stacks::lane_private> == stacks::pooled);
static_assert(kept_in<gpu_tasks::stamps, stacks::summing> == stacks::lane_private);

template <class Task, stacks Simplest = stacks::summing>
void check_fib(unsigned waves, double force_yield, int most) {
  caller<Task, Simplest> call(waves, force_yield, waves);
  std::uint64_t before = 0;
  // The last wavefronts may come when a short run is over.
  const auto goes_on = [&](int n) {
    return n <= most || (waves > 1 && call.counted().gifts == 0 && n <= most + 200);
  };
  for (int i = 0; goes_on(i); ++i) {
    const int n = std::min(i, most + 6);
    ASSERT_TRUE(call({n}));
    ASSERT_EQ(call.result(), fast_fib(n)) << n;
    const std::uint64_t tasks = call.counted().tasks;
    ASSERT_EQ(tasks - before, tasks_of_fib(n)) << n;
    before = tasks;
  }
  if (waves > 1) {
    EXPECT_GT(call.counted().gifts, 0U);
  }
  if (force_yield > 0) return;
  EXPECT_EQ(call.counted().yields, 0U);
}

TEST(emulated, fib_with_any_number_of_wavefronts) {
  for (const unsigned waves : {1U, 2U, 3U, 7U}) check_fib<tasks::fib>(waves, 0, 20);
}
TEST(emulated, fib_on_one_compute_unit) {
  for (const unsigned waves : {2U, 4U, 8U}) {
    caller<tasks::fib> call(waves, 0, waves);
    call.confine(1);
    for (int n = 0; n <= 12; ++n) {
      ASSERT_TRUE(call({n}));
      ASSERT_EQ(call.result(), fast_fib(n)) << n;
      // A short run may be over before all are there.
      ASSERT_LE(call.counted().arrived, waves / 2);
      ASSERT_GE(call.counted().arrived, 1U);
    }
  }
}
TEST(emulated, fib_on_lanes_own_stacks) {
  for (const unsigned waves : {1U, 2U, 3U, 7U})
    check_fib<tasks::fib, stacks::lane_private>(waves, 0, 20);
}
TEST(emulated, fib_on_stacks_of_work_groups) {
  for (const unsigned waves : {1U, 2U, 3U, 7U}) check_fib<tasks::fib, stacks::pooled>(waves, 0, 20);
}
TEST(emulated, fib_with_frames_that_children_may_read) {
  for (const unsigned waves : {1U, 2U, 5U}) check_fib<gpu_tasks::fib_shared>(waves, 0, 14);
}
TEST(emulated, fib_with_every_child_on_the_stack) {
  for (const unsigned waves : {1U, 2U, 5U}) check_fib<gpu_tasks::fib_stacked>(waves, 0, 14);
}
TEST(emulated, fib_with_room_denied_at_random) {
  for (const unsigned waves : {1U, 3U}) {
    check_fib<tasks::fib>(waves, 0.3, 12);
    check_fib<tasks::fib, stacks::lane_private>(waves, 0.3, 12);
    check_fib<tasks::fib, stacks::pooled>(waves, 0.3, 12);
    check_fib<gpu_tasks::fib_shared>(waves, 0.3, 12);
  }
}

TEST(emulated, a_frame_goes_on_wherever_its_last_child_ends) {
  for (const unsigned waves : {2U, 5U}) {
    caller<tasks::fib, stacks::lane_private> call(waves, 0, 1);
    for (int i = 0; i < 10 || (call.counted().given == 0 && i < 100); ++i) {
      ASSERT_TRUE(call({18}));
      ASSERT_EQ(call.result(), 2584) << i;
    }
    EXPECT_GT(call.counted().given, 0U);
  }
}

template <class Queens, stacks Simplest = stacks::summing>
void check_queens() {
  constexpr long counts[] = {1, 1, 0, 0, 2, 10, 4, 40, 92, 352};
  for (const double force_yield : {0.0, 0.3}) {
    for (const unsigned waves : {1U, 4U}) {
      caller<Queens, Simplest> call(waves, force_yield, 3);
      for (unsigned n = 1; n <= 8; ++n) {
        ASSERT_TRUE(call(Queens::whole(n)));
        EXPECT_EQ(call.result(), counts[n]) << n;
      }
      EXPECT_EQ(call.counted().yields != 0, force_yield != 0);
    }
  }
}
TEST(emulated, queens_in_a_loop) {
  check_queens<tasks::queens>();
  check_queens<tasks::loop_queens>();
  check_queens<tasks::loop_queens, stacks::pooled>();
}

template <stacks Simplest>
void check_paired_queens() {
  constexpr long counts[] = {1, 1, 0, 0, 2, 10, 4, 40, 92, 352};
  for (const double force_yield : {0.0, 0.3}) {
    caller<tasks::paired_queens, Simplest> call(3, force_yield, 3);
    for (unsigned n = 1; n <= 8; ++n) {
      ASSERT_TRUE(call(tasks::paired_queens::whole(n)));
      EXPECT_EQ(call.result(), counts[n]) << n;
    }
  }
}
TEST(emulated, queens_with_two_children_at_a_time) {
  check_paired_queens<stacks::summing>();
  check_paired_queens<stacks::lane_private>();
  check_paired_queens<stacks::pooled>();
}

template <class Task, class Arguments>
void check_product(Arguments arguments) {
  constexpr std::ptrdiff_t size = 64;
  std::vector<float> a(size * size);
  std::vector<float> b(size * size);
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = static_cast<float>(i * 7 % 13);
    b[i] = static_cast<float>(i * 5 % 11);
  }
  std::vector<float> c(size * size);
  caller<Task> call(4, 0, 1);
  ASSERT_TRUE(call(arguments(tasks::block{a.data(), size}, tasks::block{b.data(), size},
                             tasks::block{c.data(), size}, size)));
  for (std::ptrdiff_t i = 0; i < size; ++i) {
    for (std::ptrdiff_t j = 0; j < size; ++j) {
      float expected = 0;
      for (std::ptrdiff_t k = 0; k < size; ++k) expected += a[i * size + k] * b[k * size + j];
      ASSERT_EQ(c[i * size + j], expected);
    }
  }
}

TEST(emulated, strassen) {
  for (const std::ptrdiff_t cutoff : {16, 64}) {
    check_product<tasks::strassen>([=](auto a, auto b, auto c, std::ptrdiff_t size) {
      return tasks::strassen::arguments{a, b, c, size, cutoff};
    });
    check_product<tasks::product>([=](auto a, auto b, auto c, std::ptrdiff_t size) {
      return tasks::product::arguments{a, b, c, size, size, cutoff};
    });
  }
}

template <class Sort>
void check_sort() {
  for (const double force_yield : {0.0, 0.2}) {
    for (const unsigned waves : {1U, 3U}) {
      caller<Sort> call(waves, force_yield, 5);
      for (const std::size_t size : {0U, 1U, 5U, 64U, 700U, 2500U}) {
        for (const std::ptrdiff_t merge : {90, 30}) {
          std::vector<int> data(size);
          std::vector<int> scratch(size);
          for (std::size_t i = 0; i < size; ++i) data[i] = static_cast<int>(i * 7919 % 1013);
          std::vector<int> sorted = data;
          std::sort(sorted.begin(), sorted.end());
          ASSERT_TRUE(
              call({data.data(), scratch.data(), static_cast<std::ptrdiff_t>(size), {100, merge}}));
          EXPECT_EQ(data, sorted) << size << ", " << merge;
        }
      }
    }
  }
}
TEST(emulated, sort_with_leaves_of_the_whole_wavefront) {
  check_sort<tasks::sort>();
  check_sort<tasks::sort_by_parts>();
}

TEST(emulated, tasks_that_call_each_other) {
  for (const unsigned waves : {1U, 2U, 6U}) {
    caller<gpu_tasks::fill> call(waves, waves == 2 ? 0.2 : 0, 5);
    for (const std::uint32_t count : {1U, 9U, 37U, 500U}) {
      std::vector<std::uint32_t> expected(count);
      std::vector<std::uint16_t> expected_sizes(count);
      gpu_tasks::serial_fill(expected, expected_sizes, 0, count);
      std::vector<std::uint32_t> out(count);
      std::vector<std::uint16_t> sizes(count);
      ASSERT_TRUE(call({out.data(), sizes.data(), 0, count}));
      ASSERT_EQ(out, expected) << count;
      ASSERT_EQ(sizes, expected_sizes) << count;
    }
  }
}

TEST(emulated, tasks_that_spawn_without_a_bound_where_they_begin) {
  constexpr std::uint32_t count = 3000;
  for (const double force_yield : {0.0, 0.3}) {
    for (const unsigned waves : {1U, 3U}) {
      for (const std::uint32_t pieces : {2U, 7U, 300U}) {
        caller<gpu_tasks::fan> call(waves, force_yield, pieces);
        std::vector<std::uint8_t> out(count);
        ASSERT_TRUE(call({out.data(), count, pieces})) << pieces;
        EXPECT_EQ(std::count(out.begin(), out.end(), 1), count) << pieces;
      }
    }
  }
}
TEST(emulated, who_wants_more_children_than_there_is_room_for_fails) {
  for (const unsigned waves : {1U, 2U}) {
    caller<gpu_tasks::fan> call(waves, 0, 1, 128U << 10U);
    std::vector<std::uint8_t> out(20'000);
    EXPECT_FALSE(call({out.data(), 20'000, 20'000}));
    EXPECT_EQ(call.why(), detail::failure::ready);
    std::fill(out.begin(), out.end(), std::uint8_t{0});
    ASSERT_TRUE(call({out.data(), 200, 10}));
    EXPECT_EQ(std::count(out.begin(), out.end(), 1), 200);
  }
}

TEST(emulated, private_tasks_that_differ) {
  for (const double force_yield : {0.0, 0.2}) {
    for (const unsigned waves : {1U, 3U}) {
      caller<gpu_tasks::stamps> call(waves, force_yield, 7);
      for (const unsigned depth : {0U, 1U, 4U}) {
        constexpr std::uint16_t count = 23;
        std::vector<std::uint8_t> out(gpu_tasks::stamps::places(count, depth));
        ASSERT_TRUE(call({out.data(), count, static_cast<std::uint8_t>(depth)}));
        EXPECT_EQ(call.result(), 2 * static_cast<long>(out.size()));
        EXPECT_EQ(std::count(out.begin(), out.end(), 2), static_cast<std::ptrdiff_t>(out.size()));
      }
    }
  }
}

std::uint64_t tasks_in(const std::vector<detail::wave_progress>& told) {
  std::uint64_t sum = 0;
  // Relaxed, as they are told.
  for (const auto& one : told) sum += __atomic_load_n(&one.tasks, __ATOMIC_RELAXED);
  return sum;
}

template <class Task, stacks Simplest = stacks::summing>
void check_what_is_told_in_the_end() {
  for (const unsigned waves : {1U, 3U}) {
    caller<Task, Simplest> call(waves, 0.2, 5);
    const auto& told = call.told();
    ASSERT_TRUE(call({13}));
    EXPECT_EQ(tasks_in(told), tasks_of_fib(13));
    std::uint64_t yields = 0;
    for (const auto& one : told) {
      yields += one.yields;
      EXPECT_EQ(one.works, 0U);
    }
    EXPECT_EQ(yields, call.counted().yields);
  }
}
TEST(emulated, a_run_tells_how_far_it_is_and_in_the_end_all) {
  check_what_is_told_in_the_end<tasks::fib>();
  check_what_is_told_in_the_end<tasks::fib, stacks::lane_private>();
  check_what_is_told_in_the_end<gpu_tasks::fib_shared>();
}

TEST(emulated, a_run_tells_how_far_it_is_while_it_goes_on) {
  caller<tasks::chain> call(2, 0, 1);
  const auto& told = call.told();
  constexpr long length = 1'000;
  std::atomic<bool> ended{false};
  std::uint64_t most_before_the_end = 0;
  std::thread watcher([&] {
    std::uint64_t before = 0;
    while (!ended.load(std::memory_order_relaxed)) {
      const std::uint64_t now = tasks_in(told);
      EXPECT_GE(now, before);
      if (now < length) most_before_the_end = std::max(most_before_the_end, now);
      before = now;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
  const bool good = call({length});
  ended = true;
  watcher.join();
  ASSERT_TRUE(good);
  EXPECT_GT(most_before_the_end, 0U);
  EXPECT_GT(told[0].units, 0U) << "of the memory that frames have taken";
}

TEST(emulated, tasks_of_which_none_waits) {
  for (const double force_yield : {0.0, 0.2}) {
    for (const unsigned waves : {1U, 2U, 5U}) {
      caller<gpu_tasks::mark_tree> call(waves, force_yield, 7);
      for (const std::uint8_t depth : std::initializer_list<std::uint8_t>{0, 1, 2, 5}) {
        constexpr std::uint32_t count = 7;
        std::vector<std::uint8_t> out(gpu_tasks::mark_tree::places(count, depth));
        ASSERT_TRUE(call({out.data(), count, depth}));
        EXPECT_EQ(call.result(), gpu_tasks::mark_tree::serial(count, depth));
        EXPECT_EQ(std::count(out.begin(), out.end(), 1), static_cast<std::ptrdiff_t>(out.size()));
      }
    }
  }
  caller<gpu_tasks::mark> call(3, 0, 7);
  for (const std::uint32_t count : {0U, 1U, 2U, 1000U}) {
    std::vector<std::uint8_t> out(count);
    ASSERT_TRUE(call({out.data(), count}));
    EXPECT_EQ(std::count(out.begin(), out.end(), 1), static_cast<std::ptrdiff_t>(count));
  }
}

/// fib whose task makes sure of room for its second child when it has spawned the first.
struct reserving_fib : tasks::fib {
  static constexpr const char* name = "reserving_fib";
  using spawns = channels::task_list<reserving_fib>;
  static constexpr bool quick_leaves = false;

  template <class Lane>
  static channels::outcome enter(Lane& lane, const arguments& a) {
    if (a.n < 2) return lane.finish(a.n);
    frame* const f = lane.template open<reserving_fib>(1);
    if (f == nullptr) return lane.retry();
    (void)lane.template spawn<reserving_fib>(&f->x, {a.n - 1});
    if (!lane.template reserve<reserving_fib>(1)) return lane.yield(0);
    (void)lane.template spawn<reserving_fib>(&f->y, {a.n - 2});
    return lane.sync(1);
  }
};
static_assert(kept_in<reserving_fib, stacks::summing> == stacks::summing);
/// A bound is a promise: a task that keeps to it is never denied room.
TEST(emulated, tasks_with_a_bound_may_reserve_once_more) {
  caller<reserving_fib> call(2, 0, 1);
  for (const int n : {1, 2, 3, 10, 14}) {
    ASSERT_TRUE(call({n})) << n;
    EXPECT_EQ(call.result(), fast_fib(n)) << n;
  }
}

/// The places of a tree that was marked, and what was told from above.
std::vector<std::uint8_t> all_marked(std::uint32_t size) {
  std::vector<std::uint8_t> all((std::size_t{2} << size), 1);
  all[std::size_t{1} << size] = 0;
  return all;
}

template <stacks Simplest>
void check_binomial() {
  for (const double force_yield : {0.0, 0.2}) {
    for (const unsigned waves : {1U, 3U}) {
      caller<gpu_tasks::mark_binomial, Simplest> call(waves, force_yield, 11);
      for (const std::uint32_t size : {0U, 1U, 2U, 5U, 9U}) {
        std::vector<std::uint8_t> out(std::size_t{2} << size);
        ASSERT_TRUE(call({out.data(), out.data() + (std::size_t{1} << size), size}));
        EXPECT_EQ(call.result(), 1U << size);
        EXPECT_EQ(out, all_marked(size));
      }
    }
  }
}
static_assert(kept_in<gpu_tasks::mark_binomial, stacks::summing> == stacks::summing);
TEST(emulated, loops_of_which_none_waits) {
  check_binomial<stacks::summing>();
  check_binomial<stacks::pooled>();
}

/// A tree of which each leaf, which is over at once, leaves a trace.
struct count_leaf {
  static constexpr const char* name = "count_leaf";
  using result_type = long;
  struct arguments {
    std::atomic<int>* leaves;
    int depth;
  };
  struct frame {
    long left;
    long right;
  };
  using spawns = channels::task_list<count_leaf>;
  static constexpr std::uint32_t spawn_bound = 2;
  static constexpr bool shares_frame = false;
  static constexpr bool results_in_frame = true;
  static constexpr bool quick_leaves = true;
  static constexpr bool sums_up = true;

  template <class Lane>
  static channels::outcome enter(Lane& lane, const arguments& a) {
    if (a.depth == 0) {
      // Relaxed: a count, read when the run is over.
      a.leaves->fetch_add(1, std::memory_order_relaxed);
      return lane.finish(1);
    }
    frame* const f = lane.template open<count_leaf>(2);
    if (f == nullptr) return lane.retry();
    (void)lane.template spawn<count_leaf>(&f->left, {a.leaves, a.depth - 1});
    (void)lane.template spawn<count_leaf>(&f->right, {a.leaves, a.depth - 1});
    return lane.sync(1);
  }
  template <class Lane>
  static channels::outcome resume(Lane& lane, frame& f, std::uint32_t /*point*/) {
    return lane.finish(f.left + f.right);
  }
};
static_assert(kept_in<count_leaf, stacks::summing> == stacks::summing);

TEST(emulated, what_is_over_at_once_is_done_once) {
  for (const double force_yield : {0.0, 0.2}) {
    caller<count_leaf> call(3, force_yield, 7);
    for (const int depth : {0, 1, 2, 9}) {
      std::atomic<int> leaves = 0;
      ASSERT_TRUE(call({&leaves, depth}));
      EXPECT_EQ(call.result(), 1L << depth);
      EXPECT_EQ(leaves, 1 << depth);
    }
  }
}

TEST(emulated, tasks_that_allocate) {
  std::vector<long> values(700);
  std::iota(values.begin(), values.end(), 0L);
  for (const double force_yield : {0.0, 0.2}) {
    for (const unsigned waves : {1U, 3U}) {
      caller<gpu_tasks::blocks> call(waves, force_yield, 9);
      for (const long count : {0L, 1L, 2L, 7L, 700L}) {
        ASSERT_TRUE(call({values.data(), count}));
        EXPECT_EQ(call.result(), count * (count - 1) / 2);
      }
    }
  }
}

TEST(emulated, a_deep_recursion_takes_memory_as_it_goes) {
  caller<tasks::chain> call(2, 0, 1);
  for (const long length : {0L, 1L, 30L, 1000L, 5000L}) {
    ASSERT_TRUE(call({length}));
    EXPECT_EQ(call.result(), length);
  }
}

TEST(emulated, too_deep_is_an_error_and_the_next_run_is_none) {
  caller<tasks::chain> call(2, 0, 1, 64U << 10U);
  EXPECT_FALSE(call({100'000}));
  EXPECT_EQ(call.why(), detail::failure::memory);
  ASSERT_TRUE(call({20}));
  EXPECT_EQ(call.result(), 20);
}

}  // namespace
