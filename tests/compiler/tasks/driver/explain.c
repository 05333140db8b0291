// RUN: %cilk2chan-tasks --explain --emit=source %s -o %t 2>&1 | FileCheck %s
#include <cilk/cilk.h>

// CHECK: leaf: task leaf_task, spawns nothing
int leaf(int n);

// CHECK: outer: task outer_task, pre-spawn node 'enter', post-spawn node 'resume'
int outer(int n) {
  int sum = 0;
  // CHECK-NEXT: point 1, line [[@LINE+1]]: goes on in the post-spawn node
  for (int i = 0; i < n; ++i) {
    // CHECK-NEXT: point 2, line [[@LINE+1]]: spawn that may find no room
    int x = cilk_spawn leaf(i);
    // CHECK-NEXT: point 3, line [[@LINE+1]]: cilk_sync
    cilk_sync;
    sum += x;
  }
  // CHECK-NEXT: spawns to the next sync: not known
  // CHECK-NEXT: frame: int n; int sum; int i; int x;
  return sum;
}
