#pragma once

#include <atomic>  // atomic
#include <chrono>  // steady_clock
#include <thread>  // jthread, hardware_concurrency

namespace evaluate {

/// Waits until `ball` is `wanted`; true then, false if it is negative: the game is over. If that
/// takes long, because the other thread does not run, it lets it run.
inline bool await(const std::atomic<int>& ball, int wanted) {
  // Release and acquire, as whoever hands something over does.
  int seen = ball.load(std::memory_order_acquire);
  for (int looks = 0; seen != wanted && seen >= 0; ++looks) {
    if (looks > 1000) std::this_thread::yield();
    seen = ball.load(std::memory_order_acquire);
  }
  return seen >= 0;
}

/// Nanoseconds for a cache line to go from one thread to another and back, undisturbed; 0 with less
/// than two cores. What units pay to read what others wrote: in a virtual machine it may be one
/// thing now and another in a minute, when its cores have been moved.
inline double round_trip() {
  if (std::thread::hardware_concurrency() < 2) return 0;
  constexpr int tries = 100;
  constexpr int trips = 20;
  alignas(64) std::atomic<int> ball{0};
  const std::jthread other([&ball] {
    for (int i = 0; await(ball, 2 * i + 1); ++i) ball.store(2 * i + 2, std::memory_order_release);
  });
  const auto begin = std::chrono::steady_clock::now();
  auto start = begin;
  double shortest = 0;
  // On a busy machine, where each trip waits for the other thread's turn, not as often.
  for (int t = 0; t < tries && start - begin < std::chrono::milliseconds(10); ++t) {
    for (int i = t * trips; i < (t + 1) * trips; ++i) {
      ball.store(2 * i + 1, std::memory_order_release);
      (void)await(ball, 2 * i + 2);
    }
    const auto end = std::chrono::steady_clock::now();
    const std::chrono::duration<double, std::nano> all = end - start;
    if (t == 0 || all.count() < shortest) shortest = all.count();
    start = end;
  }
  ball.store(-1, std::memory_order_release);
  return shortest / trips;
}

}  // namespace evaluate
