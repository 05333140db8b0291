// RUN: %tasks-refuse %s | FileCheck %s
#include <cilk/cilk.h>

int leaf(int n);

int main(void) {
  // CHECK: :[[@LINE+3]]:11: error: 'cilk_spawn' in 'main' is not supported
  // CHECK: cilk_spawn leaf(1)
  // CHECK: note: move the spawn into a function of its own, and call that function from 'main'
  int x = cilk_spawn leaf(1);
  cilk_sync;
  return x;
}
