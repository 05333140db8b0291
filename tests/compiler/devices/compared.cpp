// Functions of the program that only the library calls: comparisons, function objects, constructors
// and destructors. nvcc leaves out a call of a function that is not marked for the device, without
// a word.
// RUN: %device-run-and-compare %s -std=c++20
// RUN: %cilk2chan --device=cuda --emit=tasks -std=c++20 %s -o %t.cu
// RUN: grep -v CHECK %t.cu | FileCheck %s
#include <cilk/cilk.h>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

// CHECK: CHANNELS_DEVICE bool operator()(int a, int b)
struct later {
  bool operator()(int a, int b) const { return a > b; }
};
struct point {
  int x, y;
  // CHECK: CHANNELS_DEVICE bool operator<(
  bool operator<(const point& o) const { return x < o.x || (x == o.x && y < o.y); }
  // CHECK-NOT: CHANNELS_DEVICE bool operator>(
  bool operator>(const point& o) const { return o < *this; }
};
// CHECK: CHANNELS_DEVICE inline bool operator==(
inline bool operator==(const point& a, const point& b) { return a.x == b.x && a.y == b.y; }
struct counted {
  int value;
  // CHECK: CHANNELS_DEVICE CHANNELS_CONSTANT counted(const counted&
  counted(int v = 1) : value(v) {}
  counted(const counted& o) : value(o.value + 1) {}
  // CHECK: CHANNELS_DEVICE counted& operator=(
  counted& operator=(const counted& o) {
    value = o.value + 10;
    return *this;
  }
  // CHECK: CHANNELS_DEVICE CHANNELS_CONSTANT ~counted()
  ~counted() { value = -1; }
};
struct added {
  int step;
  // CHECK: CHANNELS_DEVICE int operator()(int a, const counted& b)
  int operator()(int a, const counted& b) const { return a + b.value * step; }
};

static long walk(int* a, int n) {
  if (n < 2) {
    point p[3] = {{3, 1}, {2, 2}, {a[0] % 3, 3}};
    std::sort(p, p + 3);
    const point wanted = {3, 1};
    return p[0].y + 10 * (std::find(p, p + 3, wanted) - p);
  }
  long x = cilk_spawn walk(a, n / 2);
  long y = walk(a + n / 2, n - n / 2);
  cilk_sync;
  std::sort(a, a + n, later{});
  return x * 3 % 1000 + y + a[0] * a[n - 1];
}

static long copies(int n) {
  if (n < 2) {
    std::vector<counted> some(3);
    std::vector<counted> more = some;
    std::rotate(more.begin(), more.begin() + 1, more.end());
    return std::accumulate(more.begin(), more.end(), 0, added{2});
  }
  long a = cilk_spawn copies(n - 1);
  long b = copies(n - 2);
  cilk_sync;
  return a + b;
}

int main() {
  int a[300];
  for (int i = 0; i < 300; ++i) a[i] = i * 7919 % 301;
  std::printf("%ld %d %d\n", walk(a, 300), a[0], a[299]);
  std::printf("%ld\n", copies(10));
}
