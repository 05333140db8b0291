// RUN: %tasks-refuse %s | FileCheck %s
#include <cilk/cilk.h>

int leaf(int n);
int outer(int n) {
  int x = cilk_spawn leaf(n);
  cilk_sync;
  // CHECK: :[[@LINE+1]]:16: error: a lambda in a function that spawns is not supported
  auto twice = [](int i) { return 2 * i; };
  // CHECK: note: write the lambda as a function
  x = twice(x);
  return x;
}
