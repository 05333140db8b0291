// Casts that are written as calls, to types whose own names have several words.
// RUN: %host-code-run-and-compare %s
// RUN: %device-run-and-compare %s
// RUN: %cilk2chan --explain --device=emulated --emit=tasks %s -o %t.explained 2>&1 | FileCheck %s
// CHECK-NOT: stays on the host
// CHECK: tasks: 4 of 4 functions, 4 of 4 loops
#include <cilk/cilk.h>

#include <cstddef>
#include <cstdio>

using natural = unsigned long long;

template <class T>
T halves(const T* values, std::size_t n) {
  if (n < 2) return n == 0 ? T() : values[0] + T(natural(1) << 2);
  T left = cilk_spawn halves(values, std::size_t(n / 2));
  T right = halves(values + std::size_t{n / 2}, n - std::size_t(n / 2));
  cilk_sync;
  return left + right + T{};
}

template <class T>
void fill(T* values, std::size_t n) {
  cilk_for (std::size_t i = 0; i < std::size_t(n / 2); i++) values[i] = T(i * 3 % 17);
  cilk_for (std::size_t i = n / 2; i < n; i++) values[i] = T((unsigned char)(i * 5));
}

int main() {
  static double numbers[100];
  static natural integers[100];
  fill(numbers, 100);
  fill(integers, 100);
  std::printf("%.1f %llu\n", halves(numbers, 100), halves(integers, 100));
}
