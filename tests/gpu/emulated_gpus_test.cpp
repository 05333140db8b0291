// Calls that are spread over several GPUs, on the emulated device, also under ThreadSanitizer: how
// GPUs give each other tasks, and how they agree on the end.
#define CHANNELS_GPU_EMULATED

#include <gtest/gtest.h>

#include <algorithm>  // count
#include <chrono>     // milliseconds
#include <cstdint>    // fixed-width integers
#include <cstdlib>    // getenv, strtoul
#include <string>     // string, to_string
#include <thread>     // sleep_for, thread
#include <vector>     // vector

#include "channels/gpu/scheduler/caller.hpp"
#include "gpu_tasks.hpp"
#include "late_fib.hpp"
#include "tasks/queens.hpp"

namespace {

using channels::settings;
using channels::gpu::caller;
using channels::gpu::run_report;
using channels::gpu::stacks;
using tasks::fast_fib;
using tasks::tasks_of_fib;
namespace emulated = channels::gpu::emulated;

settings on(const std::string& gpus) {
  settings s;
  s.devices = gpus;
  s.memory = std::uint64_t{8} << 20U;
  return s;
}

/// What must hold of each report: nothing is lost between GPUs.
template <class Call>
void check_report(Call& call, std::uint64_t tasks) {
  const run_report did = call.report();
  std::uint64_t all = 0;
  std::uint64_t given = 0;
  std::uint64_t taken = 0;
  for (const auto& one : did.gpus) {
    all += one.tasks;
    given += one.given;
    taken += one.taken;
  }
  EXPECT_EQ(did.tasks, tasks);
  EXPECT_EQ(all, tasks);
  EXPECT_EQ(given, taken);
}
template <class Call>
bool every_gpu_has_worked(Call& call) {
  const auto gpus = call.report().gpus;
  return std::all_of(gpus.begin(), gpus.end(), [](const auto& one) { return one.tasks != 0; });
}

TEST(emulated_gpus, fib_on_each_number_of_them) {
  for (const char* const gpus : {"1", "2", "3", "4"}) {
    caller<tasks::fib> call(on(gpus));
    ASSERT_EQ(call.report().gpus.size(), static_cast<std::size_t>(*gpus - '0'));
    std::uint64_t tasks = 0;
    // Beside other work a short run may be over before the other GPUs' threads have run at all.
    for (int i = 0; i <= 16 || (i < 100 && !every_gpu_has_worked(call)); ++i) {
      const int n = i <= 16 ? i : 22;
      ASSERT_EQ(call({n}), fast_fib(n)) << n << " on " << gpus;
      tasks += tasks_of_fib(n);
    }
    check_report(call, tasks);
    EXPECT_TRUE(every_gpu_has_worked(call)) << gpus;
  }
}

TEST(emulated_gpus, a_list_says_which) {
  caller<tasks::fib> call(on("3,1"));
  EXPECT_EQ(call({12}), fast_fib(12));
  const auto gpus = call.report().gpus;
  ASSERT_EQ(gpus.size(), 2U);
  EXPECT_EQ(gpus[0].gpu, 3);
  EXPECT_EQ(gpus[1].gpu, 1);
}

/// Each place of a tree is marked once, wherever the task runs that marks it.
template <class Task>
void check_marks(caller<Task>& call, typename Task::arguments a, std::vector<std::uint8_t>& out,
                 std::uint32_t expected) {
  std::fill(out.begin(), out.end(), std::uint8_t{0});
  ASSERT_EQ(call(a), expected);
  ASSERT_EQ(static_cast<std::size_t>(std::count(out.begin(), out.end(), 1)), out.size());
}

TEST(emulated_gpus, every_task_runs_once) {
  std::vector<std::uint8_t> out(3000);
  caller<gpu_tasks::mark> marks(on("3"));
  for (int i = 0; i < 10; ++i) {
    std::fill(out.begin(), out.end(), std::uint8_t{0});
    marks({out.data(), static_cast<std::uint32_t>(out.size())});
    ASSERT_EQ(std::count(out.begin(), out.end(), 1), 3000);
  }
  constexpr unsigned depth = 5;
  std::vector<std::uint8_t> tree(gpu_tasks::mark_tree::places(40, depth));
  caller<gpu_tasks::mark_tree> trees(on("2"));
  for (int i = 0; i < 10; ++i)
    check_marks(trees, {tree.data(), 40, depth}, tree, gpu_tasks::mark_tree::serial(40, depth));
}

TEST(emulated_gpus, tasks_that_yield_travel_too) {
  const unsigned seed =
      std::getenv("CHANNELS_SEED") == nullptr
          ? 1U
          : static_cast<unsigned>(std::strtoul(std::getenv("CHANNELS_SEED"), nullptr, 10));
  constexpr std::uint32_t size = 11;
  std::vector<std::uint8_t> nodes((std::size_t{1} << size) + (std::size_t{1} << size));
  for (unsigned i = 0; i < 6; ++i) {
    settings s = on(i % 2 == 0 ? "2" : "4");
    s.seed = seed + i;
    s.force_yield = i < 3 ? 0.0 : 0.2;
    s.compute_units = i % 3;
    // What leaves the rings needs pages.
    s.memory = std::uint64_t{i < 4 ? 64U : 1024U} << 10U;
    SCOPED_TRACE("seed " + std::to_string(s.seed));
    caller<tasks::loop_queens> queens(s);
    ASSERT_EQ(queens(tasks::loop_queens::whole(7)), 40);
    caller<tasks::fib> fib(s);
    for (int n = 0; n < 15; ++n) ASSERT_EQ(fib({n}), fast_fib(n)) << n;
    s.memory = std::uint64_t{8} << 20U;
    caller<gpu_tasks::mark_binomial> call(s);
    std::fill(nodes.begin(), nodes.end(), std::uint8_t{0});
    ASSERT_EQ(call({nodes.data(), nodes.data() + nodes.size() / 2, size}), 1U << size);
    ASSERT_EQ(std::count_if(nodes.begin(), nodes.begin() + (1 << size),
                            [](std::uint8_t one) { return one != 1; }),
              0);
  }
}

TEST(emulated_gpus, tasks_that_keep_frames_run_on_the_first) {
  caller<tasks::fib, stacks::lane_private> waits(on("2"));
  caller<tasks::fib, stacks::pooled> pools(on("2"));
  caller<gpu_tasks::fib_shared> shares(on("2"));
  EXPECT_EQ(waits({14}), fast_fib(14));
  EXPECT_EQ(pools({14}), fast_fib(14));
  EXPECT_EQ(shares({14}), fast_fib(14));
  EXPECT_EQ(waits.report().gpus.size(), 1U);
  EXPECT_EQ(pools.report().gpus.size(), 1U);
  EXPECT_EQ(shares.report().gpus.size(), 1U);
}

/// As fib, without the promise that the task may travel.
struct settled_fib : tasks::fib {
  static constexpr auto reach = channels::reach::device;
};
TEST(emulated_gpus, tasks_that_do_not_say_that_they_travel_stay) {
  static_assert(caller<settled_fib>::kept_in == stacks::summing);
  static_assert(!caller<settled_fib>::travels);
  static_assert(caller<settled_fib, stacks::summing, channels::reach::host>::travels);
  static_assert(caller<tasks::fib>::travels);
}

std::string message_of(const settings& s, int n = 12) {
  try {
    caller<tasks::fib> call(s);
    (void)call({n});
  } catch (const channels::error& e) {
    return e.what();
  }
  return "";
}

TEST(emulated_gpus, one_that_is_not_there_is_named) {
  EXPECT_EQ(message_of(on("0,16")),
            "CHANNELS_DEVICES=0,16: there is no GPU 16; this process sees 16, counted from 0");
  EXPECT_EQ(message_of(on("17")), "CHANNELS_DEVICES=17: a run uses 16 GPUs at most");
  for (const char* const wrong : {"0", "1,", ",1", "two", "0,0", "-1", "1 2"}) {
    EXPECT_NE(message_of(on(wrong)).find("expected how many GPUs"), std::string::npos) << wrong;
  }
}

TEST(emulated_gpus, one_that_cannot_be_reached_is_named) {
  emulated::unreachable[2] = 1U << 1U;
  EXPECT_EQ(message_of(on("3")),
            "CHANNELS_DEVICES=3: GPU 2 (emulated) and GPU 1 (emulated) do not reach each other's "
            "memory with atomics; name GPUs that NVLink or its like connects");
  EXPECT_EQ(message_of(on("0,2")), "");
  emulated::unreachable[2] = 0;
}

TEST(emulated_gpus, a_run_without_progress_ends_on_all) {
  settings s = on("3");
  s.timeout = std::chrono::milliseconds(1000);  // the next run needs some, beside other work
  caller<gpu_tasks::late_fib> call(s);
  const gpu_tasks::starting_gun gun;
  std::thread shoots([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(2300));
    gun.shoot();
  });
  try {
    (void)call({45, gun.word()});
    ADD_FAILURE() << "has ended";
  } catch (const channels::error& e) {
    EXPECT_NE(std::string(e.what()).find("no task has begun in 1 s"), std::string::npos)
        << e.what();
  }
  shoots.join();
  EXPECT_EQ(call({10, gun.word()}), fast_fib(10)) << "the next run works";
}

TEST(emulated_gpus, a_run_with_progress_may_take_long) {
  settings s = on("2");
  s.timeout = std::chrono::milliseconds(500);
  caller<tasks::fib> call(s);
  std::chrono::steady_clock::duration took{};
  for (int n = 28; took < 3 * s.timeout; ++n) {
    const auto begin = std::chrono::steady_clock::now();
    ASSERT_EQ(call({n}), fast_fib(n)) << n;
    took = std::chrono::steady_clock::now() - begin;
  }
}

/// Breaks its promise in one of its calls, on whatever GPU that is.
struct wrong_bound {
  static constexpr const char* name = "wrong_bound";
  using result_type = long;
  struct arguments {
    int n;
  };
  struct frame {
    long a, b;
  };
  using spawns = channels::task_list<wrong_bound>;
  static constexpr std::uint32_t spawn_bound = 2;
  static constexpr bool shares_frame = false;
  static constexpr bool results_in_frame = true;
  static constexpr bool sums_up = true;
  static constexpr auto reach = channels::reach::host;

  template <class Lane>
  CHANNELS_DEVICE static channels::outcome enter(Lane& lane, const arguments& a) {
    if (a.n == 0) return lane.finish(1);
    frame* const f = lane.template open<wrong_bound>(2);
    if (f == nullptr) return lane.retry();
    (void)lane.template spawn<wrong_bound>(&f->a, {a.n - 1});
    (void)lane.template spawn<wrong_bound>(&f->b, {a.n - 1});
    return a.n == 3 ? lane.yield(1) : lane.sync(1);
  }
  template <class Lane>
  CHANNELS_DEVICE static channels::outcome resume(Lane& lane, frame& f, std::uint32_t) {
    return lane.finish(f.a + f.b);
  }
};
TEST(emulated_gpus, a_failure_on_one_ends_all_and_names_it) {
  caller<wrong_bound> call(on("4"));
  for (int i = 0; i < 10; ++i) {
    try {
      (void)call({14});
      ADD_FAILURE() << "has ended";
    } catch (const channels::error& e) {
      const std::string text = e.what();
      EXPECT_EQ(text.find("device: GPU "), 0U) << text;
      EXPECT_NE(text.find(" (emulated): task wrong_bound: it yields"), std::string::npos) << text;
    }
    ASSERT_EQ(call({2}), 4) << "the next run works";
  }
}

TEST(emulated_gpus, progress_is_of_all) {
  settings s = on("2");
  caller<tasks::fib> call(s);
  std::uint32_t waves = 0;
  std::uint64_t seen = 0;
  call.watch([&](const channels::call_progress& far) {
    waves = far.wavefronts;
    seen = far.tasks;
  });
  for (int n = 22; seen == 0 && n < 32; ++n) ASSERT_EQ(call({n}), fast_fib(n));
  EXPECT_EQ(waves, 2 * channels::gpu::detail::device_units);
  EXPECT_GT(seen, 0U);
}

}  // namespace
