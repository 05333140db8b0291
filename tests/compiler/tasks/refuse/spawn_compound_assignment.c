// RUN: %tasks-refuse %s | FileCheck %s
#include <cilk/cilk.h>

int leaf(int n);

long outer(int n) {
  long x = 0;
  // CHECK: :[[@LINE+1]]:8: error: 'cilk_spawn' in a compound assignment is not supported
  x += cilk_spawn leaf(n);
  // CHECK: note: write 'T x = cilk_spawn f(...);', and add x after 'cilk_sync'
  cilk_sync;
  return x;
}
