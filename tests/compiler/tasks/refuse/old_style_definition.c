// RUN: %tasks-refuse %s | FileCheck %s
#include <cilk/cilk.h>

// CHECK: :[[@LINE+1]]:5: error: function 'old' is defined or called without a prototype
int old(a) int a; { return a; }
// CHECK: note: declare the types of its parameters

int leaf(int n);
int outer(int n) {
  int x = cilk_spawn leaf(n);
  cilk_sync;
  return x;
}
