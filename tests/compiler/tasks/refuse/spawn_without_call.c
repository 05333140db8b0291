// RUN: %tasks-refuse %s | FileCheck %s
#include <cilk/cilk.h>

int leaf(int n);

int outer(int n) {
  // CHECK: :[[@LINE+1]]:11: error: 'cilk_spawn' does not stand before a call
  int x = cilk_spawn n;
  // CHECK: note: write 'cilk_spawn f(...)': what is spawned is the call of a function
  cilk_sync;
  return x;
}
