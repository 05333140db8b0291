// RUN: %tasks-refuse %s | FileCheck %s
#include <cilk/cilk.h>

int leaf(int n);
int outer(int n) {
  int x = cilk_spawn leaf(n);
  cilk_sync;
  // CHECK: :[[@LINE+1]]:14: error: 'goto' and labels in a function that spawns are not supported
  if (x > 3) goto end;
  // CHECK: note: write the jump as a loop, or move it into a function that does not spawn
  x = 3;
// CHECK: :[[@LINE+1]]:1: error: 'goto' and labels in a function that spawns are not supported
end:
  return x;
}
