// RUN: %tasks-refuse %s | FileCheck %s
#include <cilk/cilk.h>

int fib(int n);
int twice(int n) {
  // Runs in a task, because fib calls it: then it is a task too.
  // CHECK: :[[@LINE+1]]:14: error: the call of 'fib', which spawns, is part of a larger expression
  return 2 * fib(n);
}
int fib(int n) {
  if (n < 2) return n;
  int x = cilk_spawn fib(n - 1);
  cilk_sync;
  int y = twice(n - 2);
  return x + y;
}
