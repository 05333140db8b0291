// How the GPU's scheduler sizes and shares the memory for tasks, on the emulated device.
#define CHANNELS_GPU_EMULATED

#include <gtest/gtest.h>
#include <sys/mman.h>  // mmap
#include <unistd.h>    // unlink

#include <cstdint>  // uint64_t
#include <string>   // string

#include "channels/gpu/compiled_program/unseen_memory.hpp"
#include "channels/gpu/scheduler/caller.hpp"
#include "gpu_tasks.hpp"

namespace {

using tasks::fast_fib;

using namespace channels::gpu;  // NOLINT: the names under test
using fib_caller = caller<gpu_tasks::fib_shared>;

/// As if the device had no more memory, while an object of this class lives.
class small_device {
 public:
  explicit small_device(std::size_t bytes) { emulated::most_bytes = bytes; }
  small_device(const small_device&) = delete;
  small_device& operator=(const small_device&) = delete;
  ~small_device() { emulated::most_bytes = ~std::size_t{0}; }
};

channels::settings with_memory(std::uint64_t bytes) {
  channels::settings s;
  s.memory = bytes;
  return s;
}

TEST(memory, a_caller_takes_a_share_of_what_is_free_if_nothing_is_set) {
  ASSERT_EQ(caller_settings().memory, 0U) << "CHANNELS_MEMORY is set";
  fib_caller call;
  EXPECT_EQ(call.pool()->bytes(), detail::memory_for_tasks());
  EXPECT_EQ(call({12}), fast_fib(12));
}

TEST(memory, the_setting_is_an_upper_bound) {
  {
    fib_caller call(with_memory(8U << 20U));
    EXPECT_EQ(call.pool()->bytes(), 8U << 20U);
  }
  const small_device has(5U << 20U);
  fib_caller call(with_memory(64U << 20U));
  EXPECT_EQ(call.pool()->bytes(), 4U << 20U) << "64 MB, halved until there is as much";
  EXPECT_EQ(call({12}), fast_fib(12));
}

TEST(memory, next_to_nothing_is_an_error) {
  const small_device has(100U << 10U);
  try {
    const fib_caller call(with_memory(64U << 20U));
    ADD_FAILURE();
  } catch (const channels::error& e) {
    EXPECT_NE(std::string(e.what()).find("CHANNELS_MEMORY"), std::string::npos) << e.what();
  }
}

TEST(memory, callers_may_share_it) {
  fib_caller one(with_memory(8U << 20U));
  caller<gpu_tasks::moody> other(with_memory(64U << 20U), one.pool());
  EXPECT_EQ(other.pool(), one.pool());
  EXPECT_LT(other.report().memory, 8U << 20U) << "it counts for the one that made it";
  for (unsigned seed = 1; seed < 4; ++seed) {
    EXPECT_EQ(one({12}), fast_fib(12));
    EXPECT_EQ(other({seed, 3}), gpu_tasks::moody::serial({seed, 3}));
  }
}

TEST(memory, what_a_task_may_not_touch_is_named) {
  using channels::cilk::memory_range;
  using channels::cilk::unseen_arguments;
  char name[] = "/tmp/channels_memory_test_XXXXXX";
  const int file = mkstemp(name);
  ASSERT_GE(file, 0);
  ASSERT_EQ(ftruncate(file, 4096), 0);
  void* const mapped = mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE, file, 0);
  ASSERT_NE(mapped, MAP_FAILED);
  const auto begin = reinterpret_cast<std::uintptr_t>(mapped);
  struct {
    long number;
    const void* pointer;
  } arguments{7, static_cast<const char*>(mapped) + 100};
  const std::string said = unseen_arguments(&arguments, sizeof arguments, {});
  EXPECT_NE(said.find("the pointer at byte 8 of the call's arguments points into the file " +
                      std::string(name)),
            std::string::npos)
      << said;
  EXPECT_EQ(unseen_arguments(&arguments, sizeof arguments, {memory_range{begin, begin + 4096}}),
            "");
  munmap(mapped, 4096);
  close(file);
  unlink(name);
}

}  // namespace
