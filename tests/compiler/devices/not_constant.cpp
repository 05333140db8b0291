// The library's functions do nothing on CUDA with objects whose constructors cannot be constexpr: what sorts such
// objects stays on the host, and what sorts others does not.
// RUN: %cilk2chan -O0 --device=emulated -std=c++20 --explain %s -o %t.out 2>&1 | FileCheck %s
// RUN: %t.out | FileCheck --check-prefix=RESULT %s
// RUN: env CHANNELS_DEVICE=emulated %t.out | FileCheck --check-prefix=RESULT %s
// CHECK: sorts: stays on the host{{.*}}'sort', which a task calls, has no code for the device
// CHECK-NOT: normal: stays
// CHECK: tasks: 1 of 2 functions
#include <cilk/cilk.h>

#include <algorithm>
#include <cstdio>

static int made;

struct counting {
  int value;
  counting(int n) : value(n) { ++made; }
  bool operator<(const counting& other) const { return value < other.value; }
};
static long greatest(long a, long b) { return b == 0 ? a : greatest(b, a % b); }
struct fraction {
  long above, below;
  fraction(long a = 0, long b = 1) : above(a / greatest(a, b)), below(b / greatest(a, b)) {}
  bool operator<(const fraction& other) const { return above * other.below < other.above * below; }
};

static long sorts(int n) {
  if (n < 2) {
    counting list[3] = {3, n, 2};
    std::sort(list, list + 3);
    return list[0].value * 10 + list[2].value;
  }
  long a = cilk_spawn sorts(n - 1);
  long b = sorts(n - 2);
  cilk_sync;
  return a + b;
}
static long normal(int n) {
  if (n < 2) {
    fraction list[3] = {{4, 6}, {1, n + 1L}, {3, 7}};
    std::sort(list, list + 3);
    return list[0].below * 10 + list[2].below;
  }
  long a = cilk_spawn normal(n - 1);
  long b = normal(n - 2);
  cilk_sync;
  return a + b;
}

int main() {
  // RESULT: 505 3973
  std::printf("%ld %ld\n", sorts(9), normal(9));
}
