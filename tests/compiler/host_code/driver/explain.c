// RUN: %cilk2chan --explain --emit=source -o /dev/null %s 2>&1 | FileCheck %s
#include <cilk/cilk.h>

int leaf(int n);

// CHECK-LABEL: outer: host code
int outer(int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    // CHECK-NEXT: line [[@LINE+1]]: spawn of 'leaf', given away when a worker is hungry
    int x = cilk_spawn leaf(i);
    cilk_sync;
    sum += x;
  }
  return sum;
}

// CHECK-LABEL: larger: host code
int larger(int n) {
  // CHECK-NEXT: line [[@LINE+1]]: spawn of 'leaf', serial: its result is part of a larger expression
  return 1 + cilk_spawn leaf(n);
}

// CHECK-LABEL: loop: host code
void loop(int* a, int n) {
  // CHECK-NEXT: line [[@LINE+1]]: cilk_for, halved when a worker is hungry
  cilk_for(int i = 0; i < n; ++i) a[i] = 0;
}

// CHECK-LABEL: main: host code
int main(void) {
  // CHECK-NEXT: line [[@LINE+1]]: 'outer' goes through its entry: an init node
  return outer(3);
}

// CHECK: leaf: task leaf_task, spawns nothing
// CHECK: outer: task outer_task, pre-spawn node 'enter', post-spawn node 'resume'
// CHECK: point 3, line 12: cilk_sync
// CHECK: frame: int n; int sum; int i; int x;
// CHECK: loop: task loop_task,
// CHECK: point 1, line 27: waits for this call
// CHECK: frame: int *a; int n;
// CHECK: loop (cilk_for in line 27): task loop_task_loop,
// CHECK: spawns to the next sync: at most 2
// CHECK: larger: stays on the host, depth-first: {{.*}}explain.c:19:5: each of its spawns is part of a larger expression, which waits for it
// CHECK-NEXT: tasks: 2 of 3 functions, 1 of 1 loops
// CHECK-NOT: {{.}}
