// RUN: %tasks-refuse %s | FileCheck %s
#include <cilk/cilk.h>

int leaf(int n);

long outer(long* values, int n) {
  // CHECK: error: the result of 'leaf' has another type than the place that it is assigned to
  values[0] = cilk_spawn leaf(n);
  // CHECK: note: use a variable of the result's type, and convert it after 'cilk_sync'
  // CHECK: :[[@LINE+1]]:8: error: the result of 'leaf' has another type
  long x = cilk_spawn leaf(n);
  cilk_sync;
  x += 2;
  return x;
}
