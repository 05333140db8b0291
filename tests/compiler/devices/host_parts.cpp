// A function that host code alone calls, and that loops between its parallel parts, stays on the host, and its parallel parts
// run on the device. Others are tasks as a whole.
// RUN: %cilk2chan -std=c++20 --device=emulated %s -o %t.out 2>&1 | count 0
// RUN: %cilk2chan --serial -std=c++20 -ffp-contract=off %s -o %t.serial
// RUN: %t.serial > %t.expected
// RUN: env CHANNELS_DEVICE=emulated %t.out | diff - %t.expected
// RUN: env CHANNELS_DEVICE=emulated CHANNELS_FORCE_YIELD=0.5 %t.out | diff - %t.expected
// RUN: env CHANNELS_ORDER=channels %t.out | diff - %t.expected
// RUN: %t.out | diff - %t.expected
// RUN: %cilk2chan -std=c++20 --device=emulated --explain --emit=tasks %s 2>&1 >/dev/null | FileCheck %s
#include <cilk/cilk.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

// One that sorts, and one that adds up numbers whose order counts.
// CHECK-DAG: ranks: task ranks_{{.*}}_region_[[# @LINE + 1]]_of_{{[0-9]+}}_1_task
static std::vector<long> ranks(std::vector<long> values) {
  std::vector<long> sorted = values;
  std::sort(sorted.begin(), sorted.end());
  cilk_for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = std::lower_bound(sorted.begin(), sorted.end(), values[i]) - sorted.begin();
  }
  return values;
}
// CHECK-DAG: relax: task relax_{{.*}}_region_[[# @LINE + 1]]_of_{{[0-9]+}}_1_task
static double relax(double* to, const double* from, int n) {
  cilk_for (int i = 1; i < n - 1; ++i) to[i] = 0.5 * from[i] + 0.25 * (from[i - 1] + from[i + 1]);
  double change = 0;
  for (int i = 1; i < n - 1; ++i) change += to[i] > from[i] ? to[i] - from[i] : from[i] - to[i];
  return change;
}
// It has no loop of that kind, but calls one that has.
// CHECK-DAG: solve: task solve_{{.*}}_region_[[# @LINE + 1]]_of_{{[0-9]+}}_1_task
static int solve(std::vector<double>& a, std::vector<double>& b) {
  int steps = 0;
  cilk_for (std::size_t i = 0; i < a.size(); ++i) b[i] = a[i];
  for (double change = 1; change > 0.01 && steps < 50; ++steps) {
    change = relax(b.data(), a.data(), static_cast<int>(a.size()));
    a.swap(b);
  }
  return steps;
}

// A task calls it.
// CHECK-DAG: longest: task longest_task,
static int longest(const char* text) {
  int best = 0, now = 0;
  while (*text != 0) {
    now = *text++ == 'a' ? now + 1 : 0;
    best = now > best ? now : best;
  }
  int more = 0;
  cilk_for (int i = 0; i < 4; ++i) __atomic_fetch_add(&more, i, __ATOMIC_RELAXED);
  return best + more;
}
// It calls itself.
// CHECK-DAG: search: task search_cilk_{{[0-9a-f]*}}_{{[0-9]*}}_task,
static long search(const long* from, int n, long least) {
  while (n > 0 && *from < least) ++from, --n;
  if (n < 4) return n;
  const long low = cilk_spawn search(from, n / 2, least);
  const long high = search(from + n / 2, n - n / 2, least + 1);
  cilk_sync;
  return low + 2 * high + longest("baaab");
}
// Its loop is one that lanes share.
// CHECK-DAG: shift: task shift_cilk_{{[0-9a-f]*}}_{{[0-9]*}}_task,
static void shift(long* values, int n) {
  cilk_for (int i = 0; i < n; ++i) values[i] *= 3;
  for (int i = 0; i < n; ++i) values[i] += i;
}

class grid {
 public:
  explicit grid(int n) : cells_(n) {}
  // A member, whose parallel part is in a loop, with an end of its own.
  // CHECK-DAG: settle: task settle_{{.*}}_region_[[# @LINE + 1]]_of_{{[0-9]+}}_1_task
  int settle(int most) {
    for (int step = 0; step < most; ++step) {
      cilk_for (std::size_t i = 0; i < cells_.size(); ++i) cells_[i] += static_cast<int>(i) % (step + 2);
      int odd = 0;
      for (const int cell : cells_) odd += cell % 2;
      if (odd % 7 == 3) return step;
    }
    return most;
  }
  int sum() const {
    int all = 0;
    for (const int cell : cells_) all += cell;
    return all;
  }

 private:
  std::vector<int> cells_;
};

int main() {
  std::vector<long> values(300);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<long>(i * 7919 % 1009);
  values = ranks(values);
  shift(values.data(), static_cast<int>(values.size()));
  std::vector<double> a(200), b(200);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<double>(i % 13);
  const int steps = solve(a, b);
  grid g(100);
  const int settled = g.settle(30);
  unsigned long hash = 0;
  for (const long one : values) hash = hash * 31 + static_cast<unsigned long>(one);
  std::printf("%lu %d %.6f %ld %d %d\n", hash, steps, a[100], search(values.data(), 300, 5), settled, g.sum());
}
