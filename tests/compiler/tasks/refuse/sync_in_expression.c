// RUN: %tasks-refuse %s | FileCheck %s
#include <cilk/cilk.h>

int leaf(int n);

int outer(int n) {
  int x = cilk_spawn leaf(n);
  // CHECK: :[[@LINE+1]]:11: error: 'cilk_sync' is part of a larger expression or statement
  return (cilk_sync, x);
  // CHECK: note: write 'cilk_sync;' as a statement of its own
}
