// RUN: %tasks-refuse %s | FileCheck %s
#include <cilk/cilk.h>

int leaf(int n);

int outer(int n) {
  // CHECK: :[[@LINE+1]]:11: error: 'cilk_spawn' is part of a larger expression
  int x = cilk_spawn leaf(n) + 1;
  // CHECK: note: give the result a variable of its own: 'T x = cilk_spawn f(...);', and use it after
  // CHECK: :[[@LINE+1]]:7: error: 'cilk_spawn' is part of a larger expression
  if (cilk_spawn leaf(n)) x = 2;
  // CHECK: :[[@LINE+1]]:28: error: 'cilk_spawn' is part of a larger expression
  int y = cilk_spawn leaf((cilk_spawn leaf(n)));
  cilk_sync;
  return x + y;
}
