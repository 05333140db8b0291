// Tasks on a GPU give the answers that they give on the host. Included by a source for each
// vendor's compiler; runs where there is a GPU.

#include <gtest/gtest.h>

#include <algorithm>  // count, min, sort
#include <array>      // array
#include <cstdint>    // fixed-width integers
#include <cstdio>     // printf
#include <cstdlib>    // getenv, strtoul
#include <initializer_list>
#include <numeric>  // iota
#include <string>   // string
#include <thread>   // sleep_for, thread
#include <vector>   // vector

#include "channels/gpu/scheduler/caller.hpp"
#include "gpu_tasks.hpp"
#include "late_fib.hpp"
#include "message_checks.hpp"
#include "tasks/chain.hpp"
#include "tasks/fib.hpp"
#include "tasks/queens.hpp"
#include "tasks/sort.hpp"
#include "tasks/strassen.hpp"

namespace {

using tasks::fast_fib;
using tasks::tasks_of_fib;

using channels::settings;
using channels::gpu::caller;
using channels::gpu::stacks;
using gpu_tasks::fib_shared;
using gpu_tasks::fib_stacked;
using gpu_tasks::fill;
using gpu_tasks::serial_fill;

/// Whether to test a few small sizes only: with CHANNELS_CUS=1, for tools that make a device a
/// hundred times slower (docs/notebook/2026-11-23-gpu-programs.md).
bool is_quick() {
  static const bool quick = std::getenv("CHANNELS_TESTS_QUICK") != nullptr;
  return quick;
}

settings some_settings() {
  settings s;
  // Tools that look for races take minutes for all of a device. This does without the library.
  if (const char* units = std::getenv("CHANNELS_CUS")) {
    s.compute_units = static_cast<unsigned>(std::strtoul(units, nullptr, 10));
  }
  // One, unless it is said: tests of several say so themselves (gpus).
  const char* const gpus = std::getenv("CHANNELS_DEVICES");
  s.devices = gpus != nullptr ? gpus : "1";
  s.memory = std::uint64_t{1} << 30U;
  s.timeout = std::chrono::seconds(is_quick() ? 300 : 20);
  return s;
}
template <class T>
std::vector<T> some_of(std::initializer_list<T> sizes, std::size_t if_quick) {
  return {sizes.begin(),
          sizes.begin() + (is_quick() ? std::min(sizes.size(), if_quick) : sizes.size())};
}
/// From `first` to `most`.
template <class T>
std::vector<T> sizes_up_to(T first, T most) {
  if (is_quick()) return {first, first + 1, first + (most - first) / 2};
  std::vector<T> all(static_cast<std::size_t>(most - first) + 1);
  std::iota(all.begin(), all.end(), first);
  return all;
}
int a_hundred() { return is_quick() ? 2 : 100; }

template <class T>
class device_array {
 public:
  explicit device_array(std::size_t size) : size_(size) {
    EXPECT_EQ(CHANNELS_GPU(Malloc)(reinterpret_cast<void**>(&data_), size * sizeof(T)),
              channels::gpu::success);
  }
  explicit device_array(const std::vector<T>& values) : device_array(values.size()) {
    EXPECT_EQ(CHANNELS_GPU(Memcpy)(data_, values.data(), size_ * sizeof(T),
                                   CHANNELS_GPU(MemcpyHostToDevice)),
              channels::gpu::success);
  }
  device_array(const device_array&) = delete;
  device_array& operator=(const device_array&) = delete;
  ~device_array() { (void)CHANNELS_GPU(Free)(data_); }

  [[nodiscard]] T* data() const { return data_; }
  [[nodiscard]] std::vector<T> values() const {
    std::vector<T> all(size_);
    EXPECT_EQ(CHANNELS_GPU(Memcpy)(all.data(), data_, size_ * sizeof(T),
                                   CHANNELS_GPU(MemcpyDeviceToHost)),
              channels::gpu::success);
    return all;
  }

 private:
  T* data_ = nullptr;
  std::size_t size_;
};

template <class Task, stacks Simplest = stacks::summing>
void check_fib(const settings& s, int most) {
  caller<Task, Simplest> call(s);
  std::uint64_t before = 0;
  for (const int n : sizes_up_to(0, most)) {
    ASSERT_EQ(call({n}), fast_fib(n)) << n;
    const std::uint64_t after = call.report().tasks;
    ASSERT_EQ(after - before, tasks_of_fib(n)) << n;
    before = after;
  }
}

TEST(gpu_fib, every_call_is_a_task) { check_fib<tasks::fib>(some_settings(), 34); }
TEST(gpu_fib, on_lanes_own_stacks) {
  check_fib<tasks::fib, stacks::lane_private>(some_settings(), 34);
}
TEST(gpu_fib, on_stacks_of_work_groups) {
  check_fib<tasks::fib, stacks::pooled>(some_settings(), 30);
}
TEST(gpu_fib, with_frames_that_children_may_read) { check_fib<fib_shared>(some_settings(), 28); }
TEST(gpu_fib, with_every_child_on_the_stack) { check_fib<fib_stacked>(some_settings(), 30); }

TEST(gpu_fib, on_one_unit) {
  settings s = some_settings();
  s.compute_units = 1;
  check_fib<tasks::fib>(s, 26);
}

/// Marks the compute units on which `count` leaves run.
struct look_around {
  static constexpr const char* name = "look_around";
  using result_type = void;
  struct arguments {
    std::uint8_t* units;
    std::uint32_t count;
  };
  struct frame {
    std::uint32_t unused;
  };
  using spawns = channels::task_list<look_around>;
  static constexpr std::uint32_t spawn_bound = 2;

  template <class Lane>
  CHANNELS_DEVICE static channels::outcome enter(Lane& lane, const arguments& a) {
    if (a.count < 2) {
#if defined(__CUDA_ARCH__)
      a.units[channels::gpu::detail::compute_unit()] = 1;
#endif
      return lane.finish();
    }
    frame* const f = lane.template open<look_around>(2);
    if (f == nullptr) return lane.retry();
    (void)lane.template spawn<look_around>({a.units, a.count / 2});
    (void)lane.template spawn<look_around>({a.units, a.count - a.count / 2});
    return lane.sync(1);
  }
  template <class Lane>
  CHANNELS_DEVICE static channels::outcome resume(Lane& lane, frame& /*f*/, std::uint32_t) {
    return lane.finish();
  }
};

TEST(gpu_units, have_part_in_a_run_that_were_asked_for) {
  for (const unsigned units : {1U, 2U, 7U}) {
    settings s = some_settings();
    s.compute_units = units;
    caller<look_around> call(s);
    for (int i = 0; i < 3; ++i) {
      const device_array<std::uint8_t> marks(
          std::vector<std::uint8_t>(channels::gpu::detail::most_compute_units, 0));
      call({marks.data(), 1U << 20U});
      const std::vector<std::uint8_t> found = marks.values();
      EXPECT_EQ(std::count(found.begin(), found.end(), 1), units);
    }
  }
}

TEST(gpu_fib, with_room_denied_at_random) {
  settings s = some_settings();
  s.force_yield = 0.3;
  for (s.seed = 1; s.seed < 4; ++s.seed) {
    check_fib<tasks::fib>(s, 22);
    check_fib<tasks::fib, stacks::lane_private>(s, 22);
    check_fib<tasks::fib, stacks::pooled>(s, 22);
    check_fib<fib_shared>(s, 22);
  }
}

template <stacks Simplest>
void check_fib_a_hundred_times(int n) {
  caller<tasks::fib, Simplest> call(some_settings());
  if (is_quick()) n /= 2;
  for (int i = 0; i < a_hundred(); ++i) ASSERT_EQ(call({n}), fast_fib(n)) << i;
}
TEST(gpu_fib, a_hundred_times) { check_fib_a_hundred_times<stacks::summing>(40); }
TEST(gpu_fib, a_hundred_times_on_lanes_own_stacks) {
  check_fib_a_hundred_times<stacks::lane_private>(38);
}

constexpr std::array<long, 15> queens_counts{1,  1,   0,   0,    2,     10,    4,     40,
                                             92, 352, 724, 2680, 14200, 73712, 365596};

template <class Queens, stacks Simplest = stacks::summing>
void check_queens_in_a_loop(unsigned most, double force_yield) {
  settings s = some_settings();
  s.force_yield = force_yield;
  caller<Queens, Simplest> call(s);
  for (const unsigned n : sizes_up_to(1U, most))
    EXPECT_EQ(call(Queens::whole(n)), queens_counts[n]) << n;
  if (force_yield != 0) EXPECT_GT(call.report().yields, 0U);
}
TEST(gpu_queens, every_placement_is_a_task) {
  check_queens_in_a_loop<tasks::queens>(12, 0);
  check_queens_in_a_loop<tasks::loop_queens>(14, 0);
  check_queens_in_a_loop<tasks::loop_queens, stacks::pooled>(12, 0);
}
TEST(gpu_queens, loops_stop_in_the_middle) {
  check_queens_in_a_loop<tasks::queens>(10, 0.3);
  check_queens_in_a_loop<tasks::loop_queens>(10, 0.3);
}

TEST(gpu_queens, the_last_rows_are_one_task) {
  caller<tasks::queens> call(some_settings());
  for (const unsigned n : sizes_up_to(1U, 14U)) {
    EXPECT_EQ(call({tasks::empty_board(n), 4}), queens_counts[n]) << n;
  }
}

template <stacks Simplest>
void check_paired_queens(unsigned most) {
  caller<tasks::paired_queens, Simplest> call(some_settings());
  const auto whole = &tasks::paired_queens::whole;
  const unsigned often = is_quick() ? 6 : most - 1;
  for (const unsigned n : sizes_up_to(1U, most)) EXPECT_EQ(call(whole(n)), queens_counts[n]) << n;
  for (int i = 0; i < a_hundred(); ++i) ASSERT_EQ(call(whole(often)), queens_counts[often]) << i;
}
TEST(gpu_queens, two_children_at_a_time) { check_paired_queens<stacks::summing>(14); }
TEST(gpu_queens, two_children_at_a_time_on_lanes_own_stacks) {
  check_paired_queens<stacks::lane_private>(14);
}
TEST(gpu_queens, two_children_at_a_time_on_stacks_of_work_groups) {
  check_paired_queens<stacks::pooled>(13);
}

template <unsigned Rows>
void check_cut_queens(double force_yield) {
  settings s = some_settings();
  s.force_yield = force_yield;
  using queens = tasks::cut_queens<Rows>;
  caller<queens> call(s);
  for (const unsigned n : sizes_up_to(Rows + 1, 13U)) {
    EXPECT_EQ(call(queens::whole(n)), queens_counts[n]) << n;
    // A board of one column is its own mirror image, and has no row below the first.
    if (n < 2 || n < Rows + 2) continue;
    long half = call(queens::left_half(n));
    if (n % 2 != 0) half += call(queens::left_of_middle(n));
    EXPECT_EQ(2 * half, queens_counts[n]) << n;
  }
}
TEST(gpu_queens, first_queens_boards_first) { check_cut_queens<0>(0); }
TEST(gpu_queens, a_row_is_part_of_the_last_task) { check_cut_queens<1>(0); }
TEST(gpu_queens, two_rows_are_part_of_the_last_task) { check_cut_queens<2>(0); }
TEST(gpu_queens, three_rows_are_part_of_the_last_task) { check_cut_queens<3>(0.3); }

template <class Queens>
void check_queens_a_hundred_times(unsigned n) {
  caller<Queens> call(some_settings());
  if (is_quick()) n = 6;
  for (int i = 0; i < a_hundred(); ++i) ASSERT_EQ(call(Queens::whole(n)), queens_counts[n]) << i;
}
TEST(gpu_queens, a_hundred_times) {
  check_queens_a_hundred_times<tasks::queens>(11);
  check_queens_a_hundred_times<tasks::loop_queens>(14);
}

/// `multiply(a, b, c, size)` against the definition: whole numbers, which any order of the sums
/// gives, and others, which are to be as near as sums in single precision that are cut off.
template <class Multiply>
void check_product(std::ptrdiff_t size, Multiply multiply) {
  const auto count = static_cast<std::size_t>(size * size);
  for (const bool whole : {true, false}) {
    std::vector<float> a(count);
    std::vector<float> b(count);
    for (std::size_t i = 0; i < count; ++i) {
      a[i] = static_cast<float>(i * 7 % 13) / (whole ? 1.0F : 13.3F);
      b[i] = static_cast<float>(i * 5 % 11) / (whole ? 1.0F : 11.7F);
    }
    const device_array<float> left(a);
    const device_array<float> right(b);
    const device_array<float> sum(std::vector<float>(count, 0));
    multiply(tasks::block{left.data(), size}, tasks::block{right.data(), size},
             tasks::block{sum.data(), size}, size);
    const std::vector<float> c = sum.values();
    for (std::ptrdiff_t i = 0; i < size; ++i) {
      for (std::ptrdiff_t j = 0; j < size; ++j) {
        double expected = 0;
        for (std::ptrdiff_t k = 0; k < size; ++k)
          expected += static_cast<double>(a[i * size + k]) * b[k * size + j];
        const double most = whole ? 0 : 5e-6 * expected;
        ASSERT_NEAR(c[i * size + j], expected, most) << size << ": " << i << ", " << j;
      }
    }
  }
}
TEST(gpu_strassen, is_the_product) {
  caller<tasks::strassen> call(some_settings());
  for (const std::ptrdiff_t cutoff : some_of<std::ptrdiff_t>({16, 64, 128}, 2)) {
    for (const std::ptrdiff_t size : some_of<std::ptrdiff_t>({16, 64, 256}, 2)) {
      check_product(size, [&](tasks::block a, tasks::block b, tasks::block c, std::ptrdiff_t n) {
        call({a, b, c, n, cutoff});
      });
    }
  }
}
TEST(gpu_strassen, so_is_that_of_quadrants_of_the_result) {
  caller<tasks::product> call(some_settings());
  for (const std::ptrdiff_t cutoff : some_of<std::ptrdiff_t>({64, 16}, 1)) {
    for (const std::ptrdiff_t size : some_of<std::ptrdiff_t>({128, 32, 256}, 1)) {
      check_product(size, [&](tasks::block a, tasks::block b, tasks::block c, std::ptrdiff_t n) {
        call({a, b, c, n, n, cutoff});
      });
    }
  }
}

template <class Sort>
void check_sort() {
  caller<Sort> call(some_settings());
  for (const std::size_t size : some_of<std::size_t>({1, 1000, 100'000, 3'000'001}, 3)) {
    std::vector<int> values(size);
    for (std::size_t i = 0; i < size; ++i) {
      values[i] = static_cast<int>(static_cast<std::uint32_t>(i) * 2654435769U);
    }
    const device_array<int> data(values);
    const device_array<int> scratch(size);
    std::sort(values.begin(), values.end());
    for (const std::ptrdiff_t cutoff : some_of<std::ptrdiff_t>({100, 1024, 3000}, 2)) {
      call({data.data(), scratch.data(), static_cast<std::ptrdiff_t>(size), {cutoff, 4096}});
      EXPECT_EQ(data.values(), values) << size << ", " << cutoff;
    }
  }
}
TEST(gpu_sort, sorts) { check_sort<tasks::sort>(); }
TEST(gpu_sort, sorts_with_merges_in_parts) { check_sort<tasks::sort_by_parts>(); }

void check_fill(const settings& s) {
  caller<fill> call(s);
  for (const std::uint32_t count : some_of<std::uint32_t>({1, 9, 37, 1000, 200'000}, 4)) {
    std::vector<std::uint32_t> out(count);
    std::vector<std::uint16_t> sizes(count);
    serial_fill(out, sizes, 0, count);
    const device_array<std::uint32_t> filled(std::vector<std::uint32_t>(count, 0));
    const device_array<std::uint16_t> found(std::vector<std::uint16_t>(count, 0));
    call({filled.data(), found.data(), 0, count});
    ASSERT_EQ(filled.values(), out) << count;
    ASSERT_EQ(found.values(), sizes) << count;
  }
}

TEST(gpu_tasks, call_each_other_and_write_through_pointers) { check_fill(some_settings()); }
TEST(gpu_tasks, do_so_with_room_denied_at_random) {
  settings s = some_settings();
  s.force_yield = 0.2;
  check_fill(s);
}

void check_stamps(const settings& s) {
  caller<gpu_tasks::stamps> call(s);
  for (const unsigned depth : some_of({0U, 1U, 4U, 10U}, 3)) {
    constexpr std::uint16_t count = 1000;
    const std::size_t size = gpu_tasks::stamps::places(count, depth);
    const device_array<std::uint8_t> out(std::vector<std::uint8_t>(size, 0));
    EXPECT_EQ(call({out.data(), count, static_cast<std::uint8_t>(depth)}),
              2 * static_cast<long>(size));
    EXPECT_EQ(out.values(), std::vector<std::uint8_t>(size, 2)) << depth;
  }
}
TEST(gpu_stamps, are_each_two) { check_stamps(some_settings()); }
TEST(gpu_stamps, are_with_room_denied_at_random) {
  settings s = some_settings();
  s.force_yield = 0.2;
  check_stamps(s);
}

TEST(gpu_marks, are_made_by_tasks_of_which_none_waits) {
  for (const double force_yield : {0.0, 0.2}) {
    settings s = some_settings();
    s.force_yield = force_yield;
    caller<gpu_tasks::mark_tree> call(s);
    for (const std::uint8_t depth : some_of<std::uint8_t>({0, 1, 5, 12}, 3)) {
      constexpr std::uint32_t count = 1000;
      const std::size_t size = gpu_tasks::mark_tree::places(count, depth);
      const device_array<std::uint8_t> out(std::vector<std::uint8_t>(size, 0));
      EXPECT_EQ(call({out.data(), count, depth}), gpu_tasks::mark_tree::serial(count, depth));
      EXPECT_EQ(out.values(), std::vector<std::uint8_t>(size, 1)) << unsigned{depth};
    }
  }
}

TEST(gpu_marks, are_made_in_loops_of_which_none_waits) {
  for (const double force_yield : {0.0, 0.2}) {
    settings s = some_settings();
    s.force_yield = force_yield;
    caller<gpu_tasks::mark_binomial> call(s);
    for (const std::uint32_t size : some_of({0U, 1U, 5U, 16U}, 3)) {
      const std::size_t nodes = std::size_t{1} << size;
      const device_array<std::uint8_t> out(std::vector<std::uint8_t>(2 * nodes, 0));
      EXPECT_EQ(call({out.data(), out.data() + nodes, size}), nodes);
      std::vector<std::uint8_t> all(2 * nodes, 1);
      all[nodes] = 0;  // no node is above the root
      EXPECT_EQ(out.values(), all) << size;
    }
  }
}

// Several GPUs: all that reach each other's memory. With one there is nothing to test.
settings on_all_gpus() {
  settings s = some_settings();
  s.devices.clear();
  return s;
}
#define CHANNELS_NEEDS_TWO_GPUS()                        \
  if (channels::gpu::detail::chosen_gpus("").size() < 2) \
  GTEST_SKIP() << "this process sees no two GPUs that reach each other's memory"

template <class Call>
void check_given(const Call& call) {
  std::uint64_t given = 0;
  std::uint64_t taken = 0;
  for (const auto& one : call.report().gpus) {
    given += one.given;
    taken += one.taken;
    EXPECT_GT(one.tasks, 0U) << "GPU " << one.gpu;
    std::printf("GPU %d ran %llu tasks, gave %llu, took %llu\n", one.gpu,
                static_cast<unsigned long long>(one.tasks),
                static_cast<unsigned long long>(one.given),
                static_cast<unsigned long long>(one.taken));
  }
  EXPECT_EQ(given, taken);
}

/// Rings in which no message finds room for long, and those that there are by default.
const std::vector<std::uint32_t> capacities{512, channels::gpu::message_tuning::capacity};

void check_messages(const std::string& gpus) {
  const std::uint64_t size = is_quick() ? 3000 : 10'000'000;
  for (const std::uint32_t capacity : capacities) {
    message_checks::every_message_comes_once<1>(gpus, capacity, size);
    message_checks::every_message_comes_once<2>(gpus, capacity, size);
    message_checks::every_message_comes_once<5>(gpus, capacity, size / 2);
    message_checks::lanes_diverge(gpus, capacity, size);
    message_checks::all_to_one(gpus, capacity, size);
    message_checks::many_runs(gpus, capacity, a_hundred(), size / 100);
  }
  message_checks::every_message_comes_once<19>(gpus, 1024, size / 10);
  message_checks::put_and_increment(gpus, size);
  message_checks::refuses_capacities(gpus);
}
TEST(messages, on_one_gpu) { check_messages("1"); }
TEST(messages, between_gpus) {
  CHANNELS_NEEDS_TWO_GPUS();
  check_messages("");
}
TEST(messages, a_run_may_have_few_long_steps) {
  // More items than lanes, so that each wavefront has several steps.
  message_checks::few_long_steps("1", 3'000'000);
}

TEST(gpus, every_call_of_fib_is_a_task_of_one_of_them) {
  CHANNELS_NEEDS_TWO_GPUS();
  check_fib<tasks::fib>(on_all_gpus(), 38);
  settings s = on_all_gpus();
  s.devices = "1,0";
  check_fib<tasks::fib>(s, 34);
}
TEST(gpus, share_fib) {
  CHANNELS_NEEDS_TWO_GPUS();
  caller<tasks::fib> call(on_all_gpus());
  for (int i = 0; i < a_hundred(); ++i)
    ASSERT_EQ(call({is_quick() ? 30 : 42}), fast_fib(is_quick() ? 30 : 42)) << i;
  check_given(call);
}
TEST(gpus, share_queens_in_loops) {
  CHANNELS_NEEDS_TWO_GPUS();
  caller<tasks::loop_queens> call(on_all_gpus());
  // Smaller boards end before another GPU asks.
  for (int i = 0; i < a_hundred() / 10; ++i)
    ASSERT_EQ(call(tasks::loop_queens::whole(16)), 14772512) << i;
  check_given(call);
  settings s = on_all_gpus();
  s.force_yield = 0.3;
  caller<tasks::loop_queens> yields(s);
  ASSERT_EQ(yields(tasks::loop_queens::whole(10)), 724);
}
TEST(gpus, end_short_runs_a_thousand_times) {
  CHANNELS_NEEDS_TWO_GPUS();
  caller<tasks::fib> call(on_all_gpus());
  for (int i = 0; i < 10 * a_hundred(); ++i) ASSERT_EQ(call({i % 30}), fast_fib(i % 30)) << i;
}
TEST(gpus, make_marks_in_the_memory_of_the_first) {
  CHANNELS_NEEDS_TWO_GPUS();
  constexpr std::uint32_t size = 1U << 20U;
  caller<gpu_tasks::mark> call(on_all_gpus());
  const device_array<std::uint8_t> out(std::vector<std::uint8_t>(size, 0));
  for (int i = 1; i <= 10; ++i) {
    call({out.data(), size});
    const auto values = out.values();
    ASSERT_EQ(std::count(values.begin(), values.end(), i), size) << i;
  }
}
TEST(gpus, end_a_run_without_progress_and_run_the_next) {
  CHANNELS_NEEDS_TWO_GPUS();
  settings s = on_all_gpus();
  s.timeout = std::chrono::milliseconds(200);
  caller<gpu_tasks::late_fib> call(s);
  for (int i = 0; i < 3; ++i) {
    const gpu_tasks::starting_gun gun;
    std::thread shoots([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(600));
      gun.shoot();
    });
    EXPECT_THROW((void)call({60, gun.word()}), channels::error);
    shoots.join();
    ASSERT_EQ(call({30, gun.word()}), fast_fib(30));
  }
}
TEST(gpus, that_are_not_there_are_named) {
  settings s = some_settings();
  s.devices = "0,99";
  try {
    const caller<tasks::fib> call(s);
    ADD_FAILURE();
  } catch (const channels::error& e) {
    EXPECT_NE(std::string(e.what()).find("there is no GPU 99"), std::string::npos) << e.what();
  }
}

TEST(gpu_blocks, are_the_tasks_until_they_end) {
  std::vector<long> values(100'000);
  std::iota(values.begin(), values.end(), 0L);
  const device_array<long> on_device(values);
  for (const double force_yield : {0.0, 0.2}) {
    settings s = some_settings();
    s.force_yield = force_yield;
    caller<gpu_tasks::blocks> call(s);
    for (const long count : some_of({0L, 1L, 2L, 700L, 100'000L}, 4)) {
      EXPECT_EQ(call({on_device.data(), count}), count * (count - 1) / 2);
    }
  }
}

TEST(gpu_chain, goes_as_deep_as_memory_lets_it) {
  caller<tasks::chain> call(some_settings());
  for (const long length : some_of({0L, 1L, 10L, 1000L, 100'000L}, 3))
    EXPECT_EQ(call({length}), length);
}

TEST(gpu_chain, says_what_was_too_deep_and_runs_on) {
  settings s = some_settings();
  s.compute_units = 1;
  s.memory = std::uint64_t{is_quick() ? 16U : 4096U} << 10U;
  caller<tasks::chain> call(s);
  try {
    (void)call({1'000'000});
    FAIL() << "that deep?";
  } catch (const channels::error& e) {
    const std::string text = e.what();
    EXPECT_NE(text.find("chain"), std::string::npos) << text;
    EXPECT_NE(text.find("CHANNELS_MEMORY"), std::string::npos) << text;
  }
  EXPECT_EQ(call({20}), 20);
}

}  // namespace
