// RUN: %tasks-refuse %s | FileCheck %s
#include <cilk/cilk.h>

int leaf(int n);
int outer(int n) {
  int x = cilk_spawn leaf(n);
  cilk_sync;
  // CHECK: :[[@LINE+1]]:14: error: 'calls' is static or external, in a function that spawns
  static int calls;
  // CHECK: note: declare 'calls' at file scope
  x += calls++;
  return x;
}
