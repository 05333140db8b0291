// Errors in the program itself are Clang's own, and nothing else is reported.
// RUN: %tasks-refuse %s | FileCheck %s
#include <cilk/cilk.h>
int fib(int n) {
  // CHECK: :[[@LINE+1]]:26: error: use of undeclared identifier 'm'
  int x = cilk_spawn fib(m - 1);
  // CHECK-NOT: error:
  cilk_sync;
  return x;
}
