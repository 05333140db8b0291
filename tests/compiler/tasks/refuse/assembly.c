// RUN: %tasks-refuse %s | FileCheck %s
#include <cilk/cilk.h>

int leaf(int n);
int outer(int n) {
  int x = cilk_spawn leaf(n);
  cilk_sync;
  // CHECK: :[[@LINE+1]]:3: error: inline assembly in a function that spawns is not supported
  __asm__("nop");
  // CHECK: note: move the assembly into a function that does not spawn
  return x;
}
