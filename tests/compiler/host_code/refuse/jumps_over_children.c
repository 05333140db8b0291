// RUN: %host-code-refuse %s | FileCheck %s
#include <cilk/cilk.h>
#include <setjmp.h>
jmp_buf back;
int leaf(int n);
int spawner(int n) {
  int x = cilk_spawn leaf(n);
  cilk_sync;
  // CHECK: error: 'longjmp' in a function that spawns: the jump would leave children behind
  if (x > 3) longjmp(back, 1);
  // CHECK: note: return a status instead, or call 'cilk_sync' and jump in a function that does not spawn
  return x;
}
int caller(int n) {
  // CHECK: error: '{{_?}}setjmp' in a function that spawns, or that calls one that does: a jump back would leave children behind
  if (setjmp(back)) return 0;
  // CHECK: note: return a status instead, or spawn in functions that are not called from here
  return spawner(n);
}
// CHECK-NOT: error:
int bystander(int n) {
  if (setjmp(back)) return 0;
  return leaf(n);
}
