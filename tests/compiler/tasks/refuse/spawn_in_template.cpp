// RUN: %tasks-refuse %s | FileCheck %s
#include <cilk/cilk.h>

int leaf(int n);

template <class T>
T twice(T n) {
  // CHECK: :[[@LINE+1]]:9: error: 'cilk_spawn' in template 'twice' is not supported
  T x = cilk_spawn leaf(n);
  // CHECK: note: write 'twice' as an ordinary function for each type that you need
  cilk_sync;
  return x;
}
int use() { return twice(3); }
