// Containers of the library and its sorts in tasks: what they allocate with, and the stack that they want.
// RUN: %device-run-and-compare %s
// RUN: %cilk2chan --device=emulated --emit=tasks %s | FileCheck %s
// CHECK: gpu_unit cilk_unit{{.*}}.objects = true,{{.*}}.recursion = true,
#include <cilk/cilk.h>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

// The median of numbers that each call makes for itself.
static long median(unsigned seed, int n) {
  std::vector<long> all(n), odd;
  for (long& one : all) one = (seed = seed * 1664525u + 1013904223u) >> 16;
  for (const long one : all)
    if (one % 2 != 0) odd.push_back(one);
  std::sort(all.begin(), all.end());
  return all[n / 2] + std::accumulate(odd.begin(), odd.end(), 0L) % 1000;
}

static long medians(int from, int to) {
  if (to - from == 1) return median(from, 50 + from % 100);
  const int middle = (from + to) / 2;
  const long left = cilk_spawn medians(from, middle);
  const long right = medians(middle, to);
  cilk_sync;
  return left + right;
}

int main() {
  std::printf("%ld\n", medians(0, 200));
  return 0;
}
