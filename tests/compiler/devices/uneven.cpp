// Iterations of a `cilk_for`: which of them lanes run side by side, and which may take so different times that wavefronts
// take them one by one. Each case gives what the serial program gives.
// RUN: %cilk2chan -std=c++20 --device=emulated %s -o %t.out 2>&1 | count 0
// RUN: %cilk2chan --serial -std=c++20 -ffp-contract=off %s -o %t.serial
// RUN: %t.serial > %t.expected
// RUN: env CHANNELS_DEVICE=emulated %t.out | diff - %t.expected
// RUN: env CHANNELS_DEVICE=emulated CHANNELS_FORCE_YIELD=0.5 %t.out | diff - %t.expected
// RUN: env CHANNELS_DEVICE=emulated CHANNELS_MEMORY=2M %t.out | diff - %t.expected
// RUN: %cilk2chan -std=c++20 --device=emulated --explain --emit=tasks %s -o %t.tasks 2>&1 | FileCheck %s --check-prefix=WHY
// RUN: grep -v CHECK %t.tasks | FileCheck %s
#include <cilk/cilk.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#define ADD(to, what) \
  do {                \
    (to) += (what);   \
  } while (0)

struct shape {
  virtual ~shape() = default;
  virtual long weight(long at) const = 0;
};
struct brick : shape {
  explicit brick(long w) : w_(w) {}
  long weight(long at) const override { return w_ + at % 3; }
  long w_;
};
struct heap : shape {
  long weight(long at) const override {
    long sum = 0;
    for (const auto& part : parts) sum += part->weight(at + 1);
    return sum;
  }
  std::vector<std::unique_ptr<shape>> parts;
};

static long steps_of(long n) {
  long steps = 0;
  while (n != 1) {
    n = n % 2 ? 3 * n + 1 : n / 2;
    steps++;
  }
  return steps;
}
static long tree(long n) { return n < 2 ? 1 : tree(n - 1) + tree(n - 2); }

// An object finds its function, and calls itself for its parts.
// CHECK: struct weigh{{.*}}_task_loop {
// CHECK: {{^}}  static constexpr bool uneven_leaves = true;
// WHY: weigh (cilk_for in line [[# @LINE + 2]]): each iteration on one lane of a GPU: it calls 'weight'
static void weigh(const shape* all, long* out, int n) {
  cilk_for (int i = 0; i < n; i++) out[i] = all->weight(i);
}
// CHECK: struct count{{.*}}_task_loop {
// CHECK: {{^}}  static constexpr bool uneven_leaves = true;
// WHY: count (cilk_for in line [[# @LINE + 2]]): each iteration on one lane of a GPU: a loop in it ends at different times
static void count(long* out, int n) {
  cilk_for (int i = 0; i < n; i++) out[i] += steps_of(i + 1);
}
// CHECK: struct grow{{.*}}_task_loop {
// CHECK: {{^}}  static constexpr bool uneven_leaves = true;
// WHY: grow (cilk_for in line [[# @LINE + 2]]): each iteration on one lane of a GPU: 'tree' calls itself
static void grow(long* out, int n) {
  cilk_for (int i = 0; i < n; i++) out[i] += tree(i % 12);
}

// A range that all iterations go through, a loop in form only, a library's functions, and what the compiler knows.
// CHECK: struct sum_up{{.*}}_task_loop {
// CHECK-NOT: uneven_leaves
// CHECK: static bool is_leaf
// WHY: sum_up (cilk_for in line [[# @LINE + 2]]): side by side on lanes of a GPU
static void sum_up(const std::vector<int>& all, long* out, int n) {
  cilk_for (int i = 0; i < n; i++) {
    long sum = 0;
    for (const int one : all) ADD(sum, one * (i % 5));
    const std::pair<long, long> both = std::make_pair(sum, sum + 1);
    std::array<long, 2> kept;
    std::memcpy(kept.data(), &both, sizeof kept);
    out[i] += kept[0] + 2 * kept[1];
    __sync_fetch_and_add(&out[n], kept[1] % 2);
  }
}

int main() {
  constexpr int n = 500;
  std::vector<long> out(n + 1);
  std::vector<int> numbers(40);
  for (int i = 0; i < 40; i++) numbers[i] = i * i % 17;
  heap all;
  for (int i = 0; i < 6; i++) {
    auto inner = std::make_unique<heap>();
    for (int k = 0; k < i; k++) inner->parts.push_back(std::make_unique<brick>(k + 1));
    all.parts.push_back(std::move(inner));
  }
  weigh(&all, out.data(), n);
  count(out.data(), n);
  grow(out.data(), n);
  sum_up(numbers, out.data(), n);
  unsigned long hash = 0;
  for (const long one : out) hash = hash * 31 + one;
  std::printf("%lu %ld %ld %ld\n", hash, out[0], out[n - 1], out[n]);
}
