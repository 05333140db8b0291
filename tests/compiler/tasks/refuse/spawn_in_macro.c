// RUN: %tasks-refuse %s | FileCheck %s
#include <cilk/cilk.h>

#define FORK(x, call) x = cilk_spawn call
int leaf(int n);

int outer(int n) {
  int x;
  // CHECK: :[[@LINE+1]]:3: error: a Cilk keyword inside a macro is not supported
  FORK(x, leaf(n));
  // CHECK: note: write the keyword out where the macro is used
  cilk_sync;
  return x;
}
