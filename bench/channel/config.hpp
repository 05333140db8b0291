#pragma once

#include <benchmark/benchmark.h>

#include <atomic>    // atomic
#include <cstdint>   // uint64_t
#include <optional>  // optional

#include "channels/channel.hpp"

/// What all contenders move: numbers, whose sum is checked at the end of each run.
namespace channels::bench {

/// An element as it is, and alone on its cache line: the paper pads to imitate a linked list
/// (section 8.1).
struct number {
  std::uint64_t value;
};
struct alignas(cache_line) padded_number {
  std::uint64_t value;
};

/// Elements in each channel or queue.
inline constexpr std::uint32_t elements = 1U << 14U;

/// 0 + 1 + .. + (n - 1)
constexpr std::uint64_t sum_below(std::uint64_t n) {
  return n % 2 == 0 ? n / 2 * (n - 1) : (n - 1) / 2 * n;
}

inline void check(benchmark::State& state, std::uint64_t sum, std::uint64_t expected) {
  if (sum != expected) state.SkipWithError("the sum of what came out is wrong");
}

/// Elements that go through at once: one lane's, a wavefront's, a compute unit's block.
inline void amortisation(benchmark::internal::Benchmark* b) {
  b->ArgName("at_once")->Arg(1)->Arg(64)->Arg(1024)->Arg(4096);
}

/// What the threads of one run share, made anew by its first thread. Nobody is past the first
/// iteration before all threads have come to it.
template <class Queue>
struct shared {
  std::optional<Queue> queue;
  std::atomic<std::uint64_t> sum = 0;
  std::atomic<int> arrived = 0;

  template <class... Arguments>
  void prepare(const benchmark::State& state, Arguments... arguments) {
    if (state.thread_index() != 0) return;
    queue.emplace(arguments...);
    sum = 0;
    arrived = 0;
  }

  /// Adds one thread's sum; the last thread compares with `expected`.
  void finish(benchmark::State& state, std::uint64_t mine, std::uint64_t expected) {
    sum += mine;
    if (++arrived == state.threads()) check(state, sum, expected);
  }
};

}  // namespace channels::bench
