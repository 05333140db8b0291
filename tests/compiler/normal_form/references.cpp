// References: parameters, locals, temporaries, results of children.
// RUN: %host-code-run-and-compare %s
// RUN: env CHANNELS_ORDER=channels CHANNELS_STATS=1 %t.lowered 2>&1 | FileCheck %s
// CHECK-NOT: stays on the host
// CHECK: tasks{{ +}}{{[1-9][0-9]+}}
#include <cilk/cilk.h>

#include <array>
#include <cstdio>
#include <utility>

struct point {
  double x, y;
};
struct box {
  point low, high;
};

static void widen(box& b, const point& p) {
  if (p.x < b.low.x) b.low.x = p.x;
  if (p.y < b.low.y) b.low.y = p.y;
  if (p.x > b.high.x) b.high.x = p.x;
  if (p.y > b.high.y) b.high.y = p.y;
}

static void bound(const point* points, int n, box& result) {
  if (n <= 16) {
    result = box{points[0], points[0]};
    for (int i = 1; i < n; ++i) widen(result, points[i]);
    return;
  }
  box left, right;
  cilk_spawn bound(points, n / 2, left);
  bound(points + n / 2, n - n / 2, right);
  cilk_sync;
  result = left;
  const point& low = right.low;
  widen(result, low);
  widen(result, right.high);
}

static void fib(const int& n, long& result) {
  if (n < 2) {
    result = n;
    return;
  }
  long x, y;
  cilk_spawn fib(n - 1, x);
  fib(n - 2, y);
  cilk_sync;
  result = x + y;
}

static std::pair<long, long> extremes(const std::array<long, 512>& of, int begin, int end) {
  if (end - begin == 1) return {of[begin], of[begin]};
  const int middle = (begin + end) / 2;
  std::pair<long, long> a = cilk_spawn extremes(of, begin, middle);
  std::pair<long, long> b = extremes(of, middle, end);
  cilk_sync;
  const auto& [low, high] = a;
  return {low < b.first ? low : b.first, high > b.second ? high : b.second};
}

int main() {
  static point points[1000];
  for (int i = 0; i < 1000; ++i) points[i] = {i * 37 % 1000 / 10.0, i * 91 % 1000 / 20.0};
  box all{};
  bound(points, 1000, all);
  std::printf("%g %g %g %g\n", all.low.x, all.low.y, all.high.x, all.high.y);
  long result = 0;
  fib(18, result);
  std::printf("fib: %ld\n", result);
  std::array<long, 512> numbers{};
  for (int i = 0; i < 512; ++i) numbers[i] = i * 7919L % 1009 - 300;
  const auto [low, high] = extremes(numbers, 0, 512);
  std::printf("extremes: %ld %ld\n", low, high);
  return 0;
}
