// RUN: %tasks-refuse %s | FileCheck %s
#include <cilk/cilk.h>

constexpr int fib(int n) {
  if (n < 2) return n;
  int x = 0;
  // CHECK: :[[@LINE+1]]:7: error: function 'fib' spawns and is 'constexpr'
  x = cilk_spawn fib(n - 1);
  // CHECK: note: leave out 'constexpr': children run when the program runs
  cilk_sync;
  return x;
}
