// The wavefronts of an emulated device: lanes that are fibers of one thread.
#define CHANNELS_GPU_EMULATED

#include <gtest/gtest.h>

#include <algorithm>  // count
#include <cstdlib>    // abort
#include <thread>     // thread
#include <vector>     // vector

#include "channels/gpu/port/device_code.hpp"

namespace {

using namespace channels::gpu::detail;  // NOLINT: the names under test

TEST(emulated_wave, lanes_meet) {
  emulated_wave wave;
  unsigned before = 0;
  unsigned seen[wave_width] = {};
  for (unsigned round = 1; round <= 3; ++round) {
    wave.run([&](unsigned lane) {
      // Later lanes get here later, and all wait for them.
      for (unsigned i = 0; i < lane; ++i) nap();
      __atomic_fetch_add(&before, 1U, __ATOMIC_RELAXED);
      converge();
      seen[lane] = before;
    });
    for (const unsigned one : seen) EXPECT_EQ(one, round * wave_width);
  }
}

TEST(emulated_wave, collectives_have_the_values_of_all_lanes) {
  emulated_wave wave;
  wave.run([](unsigned lane) {
    EXPECT_EQ(lane_index(), lane);
    EXPECT_EQ(ballot(lane % 2 == 1), 0b1010U);
    EXPECT_EQ(of_lane(10 * lane, 2), 20U);
    EXPECT_EQ(of_lane_above(lane, 1), lane + 1 < wave_width ? lane + 1 : lane);
    EXPECT_EQ(most_of_wave(lane * lane), 9U);
    EXPECT_EQ(total_of_wave(lane + 1), 10U);
  });
}

TEST(emulated_wave, a_lane_waits_for_what_another_one_writes) {
  for (const bool upwards : {false, true}) {
    emulated_wave wave;
    unsigned turn = 0;
    wave.run([&](unsigned lane) {
      const unsigned mine = upwards ? lane : wave_width - 1 - lane;
      while (__atomic_load_n(&turn, __ATOMIC_ACQUIRE) != mine) relax();
      __atomic_store_n(&turn, mine + 1, __ATOMIC_RELEASE);
    });
    EXPECT_EQ(turn, wave_width);
  }
}

TEST(emulated_wave, wavefronts_of_a_group_wait_for_each_other) {
  constexpr unsigned waves = 3;
  emulated_group group(waves, 64);
  std::vector<emulated_wave> all(waves);
  std::vector<unsigned> written(waves * wave_width);
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < waves; ++i) {
    threads.emplace_back([&, i] {
      all[i].run([&, i](unsigned lane) {
        this_lane().group = &group;
        written[i * wave_width + lane] = 1;
        group_barrier();
        EXPECT_EQ(std::count(written.begin(), written.end(), 1U), waves * wave_width);
      });
    });
  }
  for (std::thread& one : threads) one.join();
}

TEST(emulated_wave, a_lane_has_a_stack_of_its_own) {
  emulated_wave wave;
  unsigned sums[wave_width] = {};
  wave.run([&](unsigned lane) {
    constexpr unsigned size = 100'000;  // a tenth of the stack
    volatile unsigned local[size / sizeof(unsigned)];
    for (volatile unsigned& one : local) one = lane;
    converge();
    for (const volatile unsigned& one : local) sums[lane] += one;
  });
  for (unsigned lane = 0; lane < wave_width; ++lane) EXPECT_EQ(sums[lane], lane * 25'000);
}

#if defined(CHANNELS_FIBERS_FOR_TSAN)
TEST(emulated_wave, ThreadSanitizer_sees_a_race_between_lanes) {
  EXPECT_DEATH(
      {
        emulated_wave wave;
        volatile unsigned written = 0;
        wave.run([&](unsigned /*lane*/) { written = written + 1; });
        std::abort();  // where a race alone is not the end
      },
      "data race");
}
#endif

}  // namespace
