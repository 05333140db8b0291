// RUN: %tasks-refuse %s | FileCheck %s
#include <cilk/cilk.h>

int fib(int n) {
  if (n < 2) return n;
  int x = cilk_spawn fib(n - 1);
  cilk_sync;
  // CHECK: :[[@LINE+1]]:14: error: the call of 'fib', which spawns, is part of a larger expression
  return x + fib(n - 2);
  // CHECK: note: call 'fib' in a statement of its own: 'T x = fib(...);'
}
