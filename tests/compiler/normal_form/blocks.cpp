// Blocks that are spawned in members, templates and with references become tasks.
// RUN: %host-code-run-and-compare %s
// RUN: %device-run-and-compare %s
// RUN: env CHANNELS_ORDER=channels CHANNELS_STATS=1 %t.lowered 2>&1 | FileCheck %s
// CHECK-NOT: stays on the host
// CHECK: tasks{{ +}}{{[1-9][0-9]+}}
#include <cilk/cilk.h>
#include <cstdio>

template <class T> static T fib(T n) {
  if (n < 2) return n;
  T x, y;
  cilk_spawn { x = fib<T>(n - 1); }
  cilk_spawn { y = fib<T>(n - 2); }
  cilk_sync;
  return x + y;
}

struct tree {
  tree* left = nullptr;
  tree* right = nullptr;
  long value = 0;
  long sum = 0;

  void add() {
    cilk_spawn { if (left != nullptr) left->add(); }
    if (right != nullptr) right->add();
    cilk_sync;
    sum = value + (left ? left->sum : 0) + (right ? right->sum : 0);
  }
};

static void halves(const long* from, int n, long& result) {
  if (n < 3) {
    for (int i = 0; i < n; ++i) result += from[i];
    return;
  }
  const int half = n / 2;
  long left = 0, right = 0;
  cilk_spawn { halves(from, half, left); }
  cilk_spawn { halves(from + half, n - half, right); result += n; }
  cilk_sync;
  result += left + right;
}

int main() {
  tree nodes[31];
  for (int i = 0; i < 31; ++i) {
    nodes[i].value = i * i;
    if (2 * i + 2 < 31) {
      nodes[i].left = &nodes[2 * i + 1];
      nodes[i].right = &nodes[2 * i + 2];
    }
  }
  nodes[0].add();
  long numbers[100], sum = 0;
  for (int i = 0; i < 100; ++i) numbers[i] = i;
  halves(numbers, 100, sum);
  std::printf("%d %ld %ld %ld\n", fib(12), fib(11L), nodes[0].sum, sum);
  return 0;
}
