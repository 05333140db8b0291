// Steps of tasks that cores of the host take for a GPU, on the emulated device, also under
// ThreadSanitizer.
#define CHANNELS_GPU_EMULATED

#include <gtest/gtest.h>

#include <algorithm>  // is_sorted
#include <cstdint>    // fixed-width integers
#include <numeric>    // accumulate
#include <string>     // string
#include <vector>     // vector

#include "channels/gpu/scheduler/caller.hpp"
#include "channels/gpu/scheduler/kernel.hpp"
#include "channels/task_traits.hpp"

namespace {

using channels::outcome;
using channels::settings;
using channels::gpu::caller;
namespace detail = channels::gpu::detail;

// Partitions on its way down, merges nothing, and adds up on its way up: the number of its tasks.
// `SharesFrame`: children add to a place in the frame of their parent.
template <bool SharesFrame>
struct sorts {
  static constexpr const char* name = "sorts";
  using result_type = long;
  struct arguments {
    int *first, *last;
    long* up;
    bool wrong;  // the smallest task yields, although it was denied nothing
  };
  struct frame {
    long left, right, below;
    long* up;
  };
  using spawns = channels::task_list<sorts>;
  static constexpr std::uint32_t spawn_bound = 2;
  static constexpr bool shares_frame = SharesFrame;
  static constexpr bool results_in_frame = true;
  static constexpr bool serial_parts = true;

  template <class Lane>
  CHANNELS_DEVICE static outcome enter(Lane& lane, const arguments& a) {
    frame* const f = lane.template open<sorts>(2);
    if (f == nullptr) return lane.retry();
    f->up = a.up;
    f->below = 0;
    if (a.last - a.first < 2) {
      if (a.wrong) return lane.yield(1);
      if (a.up != nullptr) __atomic_fetch_add(a.up, 1, __ATOMIC_RELAXED);
      return lane.finish(1L);
    }
    const int pivot = a.first[(a.last - a.first) / 2];
    int *low = a.first, *high = a.last - 1;
    while (low <= high) {
      while (*low < pivot) ++low;
      while (*high > pivot) --high;
      if (low > high) break;
      const int kept = *low;
      *low++ = *high;
      *high-- = kept;
    }
    long* const below = SharesFrame ? &f->below : nullptr;
    (void)lane.template spawn<sorts>(&f->left, {a.first, high + 1, below, a.wrong});
    (void)lane.template spawn<sorts>(&f->right, {low, a.last, below, a.wrong});
    return lane.sync(1);
  }
  template <class Lane>
  CHANNELS_DEVICE static outcome resume(Lane& lane, frame& f, std::uint32_t /*point*/) {
    if (f.up != nullptr) __atomic_fetch_add(f.up, 1 + f.below, __ATOMIC_RELAXED);
    return lane.finish(1 + f.left + f.right);
  }
};
static_assert(detail::task_set<channels::task_list<sorts<false>>>::frames_go_to_host);
static_assert(!detail::task_set<channels::task_list<sorts<true>>>::frames_go_to_host);
static_assert(detail::task_set<channels::task_list<sorts<true>>>::any_host_steps);
// Tasks that might sum up keep frames, so that the host can take their steps.
static_assert(caller<sorts<false>>::kept_in == channels::gpu::stacks::pooled);

std::vector<int> numbers(int n, unsigned seed) {
  std::vector<int> all(static_cast<std::size_t>(n));
  for (int& one : all) {
    seed = seed * 1664525U + 1013904223U;
    one = static_cast<int>(seed >> 9U);
  }
  return all;
}

// Partitions of the same numbers have the same tasks, whoever runs them.
long tasks_for(int* first, int* last) {
  if (last - first < 2) return 1;
  const int pivot = first[(last - first) / 2];
  int *low = first, *high = last - 1;
  while (low <= high) {
    while (*low < pivot) ++low;
    while (*high > pivot) --high;
    if (low <= high) std::swap(*low++, *high--);
  }
  return 1 + tasks_for(first, high + 1) + tasks_for(low, last);
}

template <bool SharesFrame>
void check_sorts(settings s, int runs) {
  caller<sorts<SharesFrame>> call(s);
  std::uint64_t before = 0;
  for (int run = 0; run < runs; ++run) {
    const int n = run * 211 % 2000 + 1;
    std::vector<int> there = numbers(n, static_cast<unsigned>(run));
    std::vector<int> here = there;
    long all = 0;
    int* const first = there.data();
    const long wanted = tasks_for(here.data(), here.data() + n);
    ASSERT_EQ(call({first, first + n, SharesFrame ? &all : nullptr, false}), wanted) << n;
    ASSERT_EQ(there, here) << n;
    if (SharesFrame) {
      ASSERT_EQ(all, wanted) << n;
    }
    const auto did = call.report();
    ASSERT_EQ(did.tasks - before, static_cast<std::uint64_t>(wanted)) << n;
    before = did.tasks;
  }
  EXPECT_GT(call.report().host_steps, 0U);
}

settings with(double force_yield, unsigned seed) {
  settings s;
  s.force_yield = force_yield;
  s.seed = seed;
  s.memory = 4U << 20U;
  return s;
}

TEST(emulated_host_steps, frames_that_go_with_the_step) {
  for (const unsigned seed : {1U, 2U, 3U}) {
    check_sorts<false>(with(0, seed), 12);
    check_sorts<false>(with(0.3, seed), 6);
  }
}
TEST(emulated_host_steps, frames_that_children_use) {
  for (const unsigned seed : {1U, 2U, 3U}) {
    check_sorts<true>(with(0, seed), 12);
    check_sorts<true>(with(0.3, seed), 6);
  }
}
// Spawns children in a loop, in front of which it adds up. `at_once`: it asks for room for all.
struct fans {
  static constexpr const char* name = "fans";
  using result_type = void;
  struct arguments {
    const int* numbers;
    int count;
    int depth;
    bool at_once;
    long* sum;
  };
  struct frame {
    arguments a;
    int spawned;
    long below;
  };
  using spawns = channels::task_list<fans>;
  static constexpr std::uint32_t spawn_bound = channels::unbounded;
  static constexpr bool serial_parts = true;

  template <class Lane>
  CHANNELS_DEVICE static outcome enter(Lane& lane, const arguments& a) {
    frame* const f = a.at_once && a.depth != 0 ? lane.template open<fans>(a.count) : lane.open();
    if (f == nullptr) return lane.retry();
    f->a = a;
    f->spawned = 0;
    f->below = 0;
    for (int i = 0; i < a.count; ++i) f->below += a.numbers[i];
    return resume(lane, *f, 1);
  }
  template <class Lane>
  CHANNELS_DEVICE static outcome resume(Lane& lane, frame& f, std::uint32_t point) {
    if (point == 1) {
      for (; f.a.depth != 0 && f.spawned < f.a.count; ++f.spawned) {
        const arguments child{f.a.numbers, f.a.count, f.a.depth - 1, f.a.at_once, &f.below};
        if (!lane.template spawn<fans>(child)) return lane.yield(1);
      }
      return lane.sync(2);
    }
    __atomic_fetch_add(f.a.sum, f.below, __ATOMIC_RELAXED);
    return lane.finish();
  }
};

void check_fans(settings s, int count, int depth, bool at_once) {
  caller<fans> call(s);
  const std::vector<int> all = numbers(count, 3);
  const long own = std::accumulate(all.begin(), all.end(), 0L);
  long tasks = 0;
  for (long level = 0, there = 1; level <= depth; ++level, there *= count) tasks += there;
  for (int run = 0; run < 3; ++run) {
    long sum = 0;
    call({all.data(), count, depth, at_once, &sum});
    ASSERT_EQ(sum, own * tasks);
    ASSERT_EQ(call.report().tasks, static_cast<std::uint64_t>(tasks) * (run + 1));
  }
  EXPECT_GT(call.report().host_steps, 0U);
}

TEST(emulated_host_steps, loops_of_spawns) {
  for (const unsigned seed : {1U, 2U}) {
    check_fans(with(0, seed), 5, 4, false);   // they fit into a step
    check_fans(with(0, seed), 40, 2, false);  // the task yields
    check_fans(with(0, seed), 5, 4, true);
    check_fans(with(0, seed), 40, 2, true);  // a step cannot have them
    check_fans(with(0.3, seed), 40, 2, false);
  }
  settings little = with(0, 1);
  little.memory = 1U << 20U;
  check_fans(little, 40, 2, false);
}

TEST(emulated_host_steps, little_memory) {
  settings s = with(0, 1);
  s.memory = 1U << 20U;
  check_sorts<false>(s, 4);
  check_sorts<true>(s, 4);
}
TEST(emulated_host_steps, none_if_the_host_does_not_reach_all) {
  settings s = with(0, 1);
  using set = detail::task_set<channels::task_list<sorts<false>>>;
  channels::gpu::run_caller call(detail::code_of_set<set, false>, s, {0}, {}, false);
  std::vector<int> there = numbers(500, 1);
  const sorts<false>::arguments a{there.data(), there.data() + 500, nullptr, false};
  (void)call.run(0, &a, sizeof a);
  EXPECT_TRUE(std::ranges::is_sorted(there));
  EXPECT_EQ(call.report().host_steps, 0U);
}
TEST(emulated_host_steps, a_run_that_fails_leaves_nothing_to_the_next) {
  caller<sorts<false>> call(with(0, 1));
  for (const int n : {1, 300, 900}) {
    std::vector<int> there = numbers(n, 5);
    int* const first = there.data();
    try {
      (void)call({first, first + n, nullptr, true});
      FAIL() << n;
    } catch (const channels::error& e) {
      EXPECT_NE(std::string(e.what()).find("it yields although room was not denied"),
                std::string::npos)
          << e.what();
    }
    std::vector<int> again = numbers(n, 6);
    std::vector<int> here = again;
    EXPECT_EQ(call({again.data(), again.data() + n, nullptr, false}),
              tasks_for(here.data(), here.data() + n));
    EXPECT_EQ(again, here);
  }
}

}  // namespace
