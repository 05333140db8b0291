// RUN: %tasks-refuse %s | FileCheck %s
#include <cilk/cilk.h>

#include <setjmp.h>
static jmp_buf back;
int leaf(int n);
int outer(int n) {
  int x = cilk_spawn leaf(n);
  cilk_sync;
  // CHECK: :[[@LINE+1]]:7: error: '_setjmp' in a function that spawns, or that calls one that does
  if (setjmp(back)) x = 3;
  // CHECK: note: return a status instead
  return x;
}
