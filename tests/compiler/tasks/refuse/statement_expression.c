// RUN: %tasks-refuse %s | FileCheck %s
#include <cilk/cilk.h>

int leaf(int n);
int outer(int n) {
  int x = cilk_spawn leaf(n);
  cilk_sync;
  // CHECK: :[[@LINE+1]]:7: error: a statement expression in a function that spawns is not supported
  x = ({ int y = x; y * 2; });
  // CHECK: note: write its statements as a function that does not spawn
  return x;
}
