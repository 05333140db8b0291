// A program for the host and for a device: each call chooses, and gives its serial answer wherever it runs. What a call on
// the host calls stays there.
// RUN: %cilk2chan -O0 -std=c++20 --device=host,emulated %s -o %t.out 2>&1 | count 0
// RUN: %cilk2chan --serial -std=c++20 %s -o %t.serial
// RUN: %t.serial > %t.expected
// RUN: env CHANNELS_STATS=json:%t.json %t.out | diff - %t.expected
// RUN: FileCheck %s --check-prefix=STATS < %t.json
// STATS: "device": "auto"
// STATS: "placed_calls": [
// STATS: "function": "long_one"
// STATS-NEXT: "host_calls": {{[1-9][0-9]*}}
// STATS-NEXT: "host_ns"
// STATS-NEXT: "device_calls": {{[1-9][0-9]*}}
// RUN: env CHANNELS_DEVICE=emulated %t.out | diff - %t.expected
// RUN: env CHANNELS_DEVICE=host %t.out | diff - %t.expected
// RUN: env CHANNELS_ORDER=channels %t.out | diff - %t.expected
// RUN: env CHANNELS_CUS=2 CHANNELS_GIVE=random CHANNELS_SEED=7 %t.out | diff - %t.expected
#include <cilk/cilk.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

// Calls of some milliseconds each, which the device gets after a while.
static long long_one(long* counts, long low, long high) {
  if (high - low <= 8) {
    long sum = 0;
    for (long i = low; i < high; i++) {
      for (long k = 0; k < 400; k++) sum = (sum * 31 + k * i) % 1000003;
      counts[i]++;
    }
    return sum;
  }
  const long middle = low + (high - low) / 2;
  long a = cilk_spawn long_one(counts, low, middle);
  long b = long_one(counts, middle, high);
  cilk_sync;
  return a + b;
}

template <class T>
static T power_sum(T n) {
  if (n < 2) return n;
  T a = cilk_spawn power_sum(n - 1);
  T b = power_sum(n - 2);
  cilk_sync;
  return (a + 3 * b) % 1000003;
}

// Calls another function with a task from what is no task.
static long through(long n) { return power_sum(n) + power_sum(n / 2); }
static long nested(long n) {
  if (n < 8) return through(n + 6);
  long a = cilk_spawn nested(n / 2);
  long b = nested(n / 3);
  cilk_sync;
  return a - b;
}

int main() {
  constexpr long size = 4000;
  long* const counts = static_cast<long*>(std::calloc(size, sizeof(long)));
  long all = 0;
  for (int i = 0; i < 60; i++) all += long_one(counts, 0, size);
  std::printf("%ld %ld\n", all, std::accumulate(counts, counts + size, 0L));
  for (int i = 0; i < 2000; i++) all += power_sum<long>(i % 12) + power_sum<int>(i % 5);
  std::printf("%ld %ld\n", all, nested(300));
  cilk_for (long i = 0; i < size; i++) counts[i] = power_sum(i % 9);
  std::printf("%ld\n", std::accumulate(counts, counts + size, 0L));

  // Two threads that choose at the same time.
  long of_threads[2];
  std::thread other([&] { of_threads[0] = long_one(counts, 0, size / 2); });
  of_threads[1] = long_one(counts, size / 2, size);
  other.join();
  std::printf("%ld\n", of_threads[0] + of_threads[1]);
  std::fflush(stdout);

  // A child process has no device of its own.
  const pid_t child = fork();
  if (child == 0) {
    std::printf("child %ld\n", long_one(counts, 0, size));
    std::fflush(stdout);
    _exit(0);
  }
  waitpid(child, nullptr, 0);
  // More memory than the host's first: what is allocated last is the device's, too.
  std::vector<long> large(6'000'000, 1);
  std::printf("%ld\n", long_one(large.data(), 0, 6'000) + std::accumulate(large.begin(), large.end(), 0L));
  std::free(counts);
}
