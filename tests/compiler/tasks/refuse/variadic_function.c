// RUN: %tasks-refuse %s | FileCheck %s
#include <cilk/cilk.h>

int leaf(int n);

int outer(int n, ...) {
  // CHECK: :[[@LINE+1]]:11: error: function 'outer' spawns and takes a variable number of arguments
  int x = cilk_spawn leaf(n);
  // CHECK: note: pass the arguments in an array, with their number
  cilk_sync;
  return x;
}
