// RUN: %tasks-refuse %s | FileCheck %s
#include <cilk/cilk.h>

int leaf(int n);

int outer(int* values, int n) {
  // CHECK: :[[@LINE+1]]:3: error: the place that takes the result of this call is computed with side effects
  values[n++] = cilk_spawn leaf(1);
  // CHECK: note: compute its address in a statement before
  cilk_sync;
  return n;
}
