// RUN: %tasks-refuse %s | FileCheck %s
#include <cilk/cilk.h>

int apply(int (*function)(int), int n) { return function(n); }
int fib(int n) {
  if (n < 2) return n;
  int x = cilk_spawn fib(n - 1);
  cilk_sync;
  // CHECK: :[[@LINE+1]]:22: error: the address of 'fib', which spawns, is taken in code that runs in a task
  int y = x + apply(&fib, n - 2);
  // CHECK: note: call 'fib' by its name
  return y;
}
