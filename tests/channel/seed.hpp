#pragma once

#include <gtest/gtest.h>

#include <cstdint>   // uint64_t
#include <cstdlib>   // getenv
#include <iostream>  // cout
#include <random>    // random_device
#include <string>    // stoull, to_string

namespace channels::testing {

/// Calls `body(seed)` for `repetitions` seeds, or until one fails. The first is printed; to replay
/// one, set CHANNELS_TEST_SEED to it, and then only that one is run.
template <class Body>
void for_each_seed(int repetitions, Body body) {
  const char* const replay = std::getenv("CHANNELS_TEST_SEED");
  const std::uint64_t first = replay ? std::stoull(replay) : std::random_device{}();
  if (replay) repetitions = 1;
  // Written at once: a test that is stopped has told its seeds.
  std::cout << "seeds " << first << " to " << first + static_cast<std::uint64_t>(repetitions) - 1
            << std::endl;
  for (int i = 0; i < repetitions; ++i) {
    const std::uint64_t seed = first + static_cast<std::uint64_t>(i);
    const ::testing::ScopedTrace replay_with(__FILE__, __LINE__,
                                             "CHANNELS_TEST_SEED=" + std::to_string(seed));
    body(seed);
    if (::testing::Test::HasFailure()) return;
  }
}

/// Random numbers, and little else to write at the place where they are needed.
class dice {
 public:
  explicit dice(std::uint64_t seed) : engine_(seed) {}

  /// From `low` to `high`, both included.
  template <class Integer>
  Integer from(Integer low, std::type_identity_t<Integer> high) {
    return std::uniform_int_distribution<Integer>(low, high)(engine_);
  }
  bool once_in(unsigned n) { return from(1U, n) == 1; }
  std::uint32_t power_of_two(unsigned low_exponent, unsigned high_exponent) {
    return 1U << from(low_exponent, high_exponent);
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace channels::testing
