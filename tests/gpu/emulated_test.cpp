// The code of a GPU's lanes on threads of the CPU, for ThreadSanitizer: how
// children are given away, how stacks wait for them and go on elsewhere.
#define CHANNELS_GPU_EMULATED

#include <gtest/gtest.h>

#include <algorithm>  // fill
#include <barrier>    // barrier
#include <string>     // string
#include <thread>     // thread
#include <vector>     // vector

#include "channels/gpu/kernel.hpp"
#include "gpu_tasks.hpp"
#include "tasks/chain.hpp"
#include "tasks/queens.hpp"
#include "tasks/strassen.hpp"

namespace {

using tasks::fast_fib;
using tasks::tasks_of_fib;

using namespace channels::gpu;  // NOLINT: the names under test

/// What gpu::caller is on a device.
template <channels::task Root>
class caller {
  using set = detail::task_set<detail::tasks_of<Root>>;

 public:
  caller(unsigned waves, double force_yield, unsigned seed, std::uint32_t stack_words = 4096)
      : mailboxes_(waves),
        hungry_((waves + 31) / 32),
        gifts_(waves * detail::gifts_per_wave),
        windows_(waves * detail::lane_stack<set::reach>::window * detail::wave_width),
        waves_(waves),
        stacks_(std::size_t{waves} * detail::regions_per_wave * stack_words),
        frames_(std::size_t{waves} * detail::regions_per_wave * stack_words * 2),
        free_(waves * (detail::gift_words + detail::region_words)) {
    run_.control = &control_;
    run_.mailboxes = mailboxes_.data();
    run_.hungry = hungry_.data();
    run_.waves = waves;
    run_.gifts = gifts_.data();
    run_.windows = windows_.data();
    run_.stacks = stacks_.data();
    run_.stack_words = stack_words;
    run_.free_gifts = free_.data();
    run_.free_regions = free_.data() + waves * detail::gift_words;
    run_.frames = frames_.data();
    run_.frame_bytes = stack_words * 2;
    run_.force_yield = static_cast<std::uint32_t>(force_yield * 4294967295.0);
    run_.seed = seed;
    run_.host = &host_;
    prepare();
  }

  /// The result is in `result()`. False if the run failed.
  bool operator()(const typename Root::arguments& arguments) {
    std::fill(mailboxes_.begin(), mailboxes_.end(), detail::mailbox{});
    std::fill(hungry_.begin(), hungry_.end(), detail::hungry_word{});
    host_.ended = 0;
    host_.failed = 0;
    std::memcpy(run_.arguments, &arguments, sizeof arguments);
    run_.root = set::template id<Root>;
    std::vector<std::thread> threads;
    // A run may be shorter than the start of a thread.
    const unsigned lanes = run_.waves * detail::wave_width;
    std::barrier all(lanes);
    for (unsigned i = 0; i < lanes; ++i) {
      const unsigned wave = i / detail::wave_width;
      threads.emplace_back([this, i, wave, &all] {
        detail::this_lane = {&waves_[wave], wave, i % detail::wave_width, i};
        all.arrive_and_wait();
        detail::run_tasks<set>(run_);
      });
    }
    for (std::thread& one : threads) one.join();
    if (host_.failed != 0) prepare();
    return host_.ended != 0;
  }
  template <class Result = typename Root::result_type>
  [[nodiscard]] Result result() const {
    Result r;
    std::memcpy(&r, host_.result, sizeof r);
    return r;
  }
  [[nodiscard]] const detail::control_block& counted() const { return control_; }
  [[nodiscard]] detail::failure why() const { return static_cast<detail::failure>(host_.failed); }

 private:
  void prepare() {
    const unsigned most = run_.waves * detail::gifts_per_wave;
    for (unsigned i = 0; i < most; ++i) {
      detail::this_lane.item = i;
      detail::prepare(run_);
    }
  }

  detail::control_block control_{};
  detail::host_block<set> host_{};
  std::vector<detail::mailbox> mailboxes_;
  std::vector<detail::hungry_word> hungry_;
  std::vector<detail::gift<set>> gifts_;
  std::vector<std::uint32_t> windows_;
  std::vector<detail::emulated_wave> waves_;
  std::vector<std::uint32_t> stacks_;
  std::vector<std::byte> frames_;
  std::vector<std::uint32_t> free_;
  detail::run_parameters<set> run_{};
};

template <class Task>
void check_fib(unsigned waves, double force_yield, int most) {
  caller<Task> call(waves, force_yield, waves);
  std::uint64_t before = 0;
  for (int n = 0; n <= most; ++n) {
    ASSERT_TRUE(call({n}));
    ASSERT_EQ(call.result(), fast_fib(n)) << n;
    const std::uint64_t tasks = call.counted().tasks;
    ASSERT_EQ(tasks - before, tasks_of_fib(n)) << n;
    before = tasks;
  }
  if (waves > 1) {
    EXPECT_GT(call.counted().offered, 0U);
  }
  EXPECT_GT(call.counted().handed, 0U);
  if (force_yield > 0) return;
  EXPECT_EQ(call.counted().yields, 0U);
}

TEST(emulated, fib_with_any_number_of_wavefronts) {
  for (const unsigned waves : {1U, 2U, 3U, 7U}) check_fib<tasks::fib>(waves, 0, 16);
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
    check_fib<gpu_tasks::fib_shared>(waves, 0.3, 12);
  }
}

TEST(emulated, a_stack_goes_on_wherever_its_child_ends) {
  for (const unsigned waves : {2U, 5U}) {
    caller<tasks::fib> call(waves, 0, 1);
    for (int i = 0; i < 10; ++i) {
      ASSERT_TRUE(call({18}));
      ASSERT_EQ(call.result(), 2584) << i;
    }
    EXPECT_GT(call.counted().left, 0U);
  }
}

TEST(emulated, queens) {
  constexpr long counts[] = {1, 1, 0, 0, 2, 10, 4, 40, 92, 352};
  for (const double force_yield : {0.0, 0.3}) {
    for (const unsigned waves : {1U, 4U}) {
      caller<tasks::queens> call(waves, force_yield, 3);
      for (unsigned n = 1; n <= 8; ++n) {
        ASSERT_TRUE(call({tasks::empty_board(n), 0}));
        EXPECT_EQ(call.result(), counts[n]) << n;
      }
      EXPECT_GT(call.counted().yields, 0U);
    }
  }
}

TEST(emulated, strassen) {
  constexpr std::ptrdiff_t size = 64;
  std::vector<float> a(size * size);
  std::vector<float> b(size * size);
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = static_cast<float>(i * 7 % 13);
    b[i] = static_cast<float>(i * 5 % 11);
  }
  std::vector<float> c(size * size);
  caller<tasks::strassen> call(4, 0, 1);
  ASSERT_TRUE(call({{a.data(), size}, {b.data(), size}, {c.data(), size}, size, 16}));
  for (std::ptrdiff_t i = 0; i < size; ++i) {
    for (std::ptrdiff_t j = 0; j < size; ++j) {
      float expected = 0;
      for (std::ptrdiff_t k = 0; k < size; ++k) expected += a[i * size + k] * b[k * size + j];
      ASSERT_EQ(c[i * size + j], expected);
    }
  }
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

TEST(emulated, a_deep_recursion_leaves_the_window_and_comes_back) {
  caller<tasks::chain> call(2, 0, 1, 1U << 16U);
  for (const long length : {0L, 1L, 30L, 1000L, 5000L}) {
    ASSERT_TRUE(call({length}));
    EXPECT_EQ(call.result(), length);
  }
}

TEST(emulated, too_deep_is_an_error_and_the_next_run_is_none) {
  caller<tasks::chain> call(2, 0, 1, 1024);
  EXPECT_FALSE(call({100'000}));
  EXPECT_TRUE(call.why() == detail::failure::frames || call.why() == detail::failure::stack);
  ASSERT_TRUE(call({20}));
  EXPECT_EQ(call.result(), 20);
}

}  // namespace
