// Functions of the standard library in tasks, whose builtins nvcc takes for the host's and drops: see library_cuda.test.
// RUN: %cilk2chan -O0 --device=emulated %s -o %t.out
// RUN: %t.out > %t.host && env CHANNELS_DEVICE=emulated %t.out | diff %t.host -
// RUN: FileCheck %s < %t.host
#include <cilk/cilk.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <numeric>

static std::uint64_t mix(std::uint64_t x) {
  std::uint64_t v[24];
  for (int i = 0; i < 24; ++i) v[i] = (x + i) * 0x9e3779b97f4a7c15u >> 7;
  std::uint64_t sum = std::countr_zero(v[0]) + 3 * std::popcount(v[1]) + 5 * std::bit_width(v[2]);
  sum += std::gcd(v[3], v[4]) + std::countr_zero(static_cast<unsigned>(v[5]));
  std::copy(v, v + 6, v + 6);
  std::copy_backward(v, v + 8, v + 9);
  memmove(v + 1, v, 5 * sizeof v[0]);
  sum += v[11] % 1000 + (memcmp(v, v + 1, sizeof v[0]) == 0) + (std::memcmp(v, v + 9, 8) < 0 ? 2 : 0);
  std::sort(v, v + 24);
  for (int i = 1; i < 24; ++i) sum += v[i - 1] <= v[i];
  return sum + v[3] % 77;
}
std::uint64_t all(int lo, int hi) {
  if (hi - lo == 1) return mix(lo);
  const int mid = (lo + hi) / 2;
  std::uint64_t a = cilk_spawn all(lo, mid);
  std::uint64_t b = all(mid, hi);
  cilk_sync;
  return a + b;
}
int main() {
  std::uint64_t serial = 0;
  for (int i = 1; i < 60; ++i) serial += mix(i);
  const std::uint64_t sum = all(1, 60);
  std::printf("%s\n", sum == serial ? "the same" : "different");  // CHECK: the same
}
