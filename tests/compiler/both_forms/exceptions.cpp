// What a function throws that a task calls arrives where the task was called.
// RUN: %cilk2chan %s -o %t
// RUN: env CHANNELS_ORDER=channels CHANNELS_STATS=1 %t 2>&1 | FileCheck %s
// CHECK-NOT: stays
#include <cilk/cilk.h>

#include <cstdio>
#include <stdexcept>

static int risky(int n) {
  if (n == 0) throw std::runtime_error("none left");
  return n;
}

int tree(int n, int last) {
  if (n == 0) return risky(last);
  int x = cilk_spawn tree(n - 1, last);
  int y = cilk_spawn tree(n - 1, last);
  cilk_sync;
  return x + y;
}

int main() {
  // CHECK: 16
  std::printf("%d\n", tree(4, 1));
  try {
    std::printf("%d\n", tree(4, 0));
  } catch (const std::runtime_error& e) {
    // CHECK: none left
    std::puts(e.what());
  }
  // CHECK: 8
  std::printf("%d\n", tree(3, 1));
  // CHECK: tasks
}
