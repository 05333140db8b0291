// RUN: %tasks-refuse %s | FileCheck %s
#include <cilk/cilk.h>

#define DOUBLE_N (n * 2)
int leaf(int n);

int outer(int n) {
  int x = cilk_spawn leaf(n);
  cilk_sync;
  // CHECK: error: a macro hides a variable, a return or a part of a statement in a function that spawns
  return x + DOUBLE_N;
  // CHECK: note: write the statement out, or make the macro's text a function
}
