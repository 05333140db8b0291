// RUN: %tasks-refuse %s | FileCheck %s
#include <cilk/cilk.h>

int leaf(int n);
int outer(int n) {
  int x = cilk_spawn leaf(n);
  cilk_sync;
  // CHECK: :[[@LINE+1]]:7: error: the type of 'values', in a function that spawns, has parts of variable length
  int values[n][n];
  // CHECK: note: use an array of one variable length
  int lengths[n];
  // CHECK: :[[@LINE+2]]:23: error: 'lengths' has a variable length, and is used here as a whole
  // CHECK: note: use its elements
  lengths[0] = sizeof lengths;
  // CHECK: :[[@LINE+2]]:16: error: 'lengths' has a variable length
  // CHECK-NOT: error:
  void* all = &lengths;
  values[0][0] = x;
  return *lengths + lengths[1] + (lengths)[2] + (all != 0);
}
