// RUN: %tasks-refuse %s | FileCheck %s
#include <cilk/cilk.h>

int leaf(int n);

int outer(int n) {
  // CHECK: :[[@LINE+1]]:3: error: 'cilk_spawn' does not stand before a call
  cilk_spawn int y = leaf(n);
  cilk_sync;
  return y;
}
