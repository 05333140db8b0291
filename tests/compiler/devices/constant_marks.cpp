// Those constructors of a class that may be constexpr become so, and no others, also where another
// class needs one of them.
// RUN: %device-run-and-compare %s -std=c++20
// RUN: %cilk2chan --device=cuda --emit=tasks -std=c++20 %s -o %t.cu
// RUN: grep -v CHECK %t.cu | FileCheck %s
#include <cilk/cilk.h>

#include <algorithm>
#include <array>
#include <cstdio>

static int made;

struct part {
  int value;
  // CHECK-NOT: CHANNELS_CONSTANT part(int
  part(int n) : value(n) { ++made; }
  // CHECK: CHANNELS_CONSTANT part()
  part() : value(3) {}
};
struct whole {
  int value;
  // CHECK: CHANNELS_CONSTANT whole(int
  whole(int n) : value(n) {
    part own;
    value += own.value;
  }
  bool operator<(const whole& other) const { return value < other.value; }
};

// A table that several files could share is this file's on the device.
// CHECK: CHANNELS_CILK_TABLE static constexpr std::array<int, 3> weights
inline constexpr std::array<int, 3> weights{2, 3, 5};

static long walk(int n) {
  if (n < 2) {
    whole list[3] = {7, n, 2};
    std::sort(list, list + 3);
    return list[0].value * weights[1] + list[2].value * weights[static_cast<unsigned>(n)];
  }
  long a = cilk_spawn walk(n - 1);
  long b = walk(n - 2);
  cilk_sync;
  return a + b;
}

int main() { std::printf("%ld %d\n", walk(9), part(2).value + made); }
