// A function that calls through a pointer what spawns, and has no plain form that does, stays the task that it is, with
// what calls it: for that one call the function is host code. Others call it as a task.
// RUN: %host-code-run-and-compare %s
// RUN: %cilk2chan --explain --emit=tasks %s 2>&1 >/dev/null | FileCheck %s
// CHECK-NOT: stays on the host
// CHECK-DAG: odd: task odd_task
// CHECK-DAG: outer: task outer_task
// CHECK-DAG: fib: task fib_cilk_
// CHECK-DAG: even: task even_cilk_
// CHECK: tasks: 6 of 6 functions, 1 of 1 loops
#include <cilk/cilk.h>
#include <stdio.h>

typedef int (*function)(int);
static int fib(int n) {
  if (n < 2) return n;
  int a = cilk_spawn fib(n - 1);
  int b = fib(n - 2);
  cilk_sync;
  return a + b;
}
static int odd(int n, function f) {
  if (n < 2) {
    int some = f(n) ?: 3;
    return some;
  }
  int a = cilk_spawn odd(n - 1, f);
  int b = odd(n - 2, f);
  cilk_sync;
  return a + b;
}
static int even(int n, function f) {
  if (n < 2) return f(n + 4);
  int a = cilk_spawn even(n - 1, f);
  int b = even(n - 2, f);
  cilk_sync;
  return a + b;
}
static int outer(int n, function f) {
  int a = cilk_spawn odd(n, f);
  int b = odd(n - 1, f);
  cilk_sync;
  return a - b;
}
// The address is the same in a macro.
#define SHOW(f) printf("%s %d %d\n", #f, outer(6, f), even(5, f))

int main(void) {
  int found[4];
  SHOW(fib);
  cilk_for (int i = 0; i < 4; ++i) found[i] = odd(i + 3, fib);
  printf("%d\n", found[3]);
  return 0;
}
