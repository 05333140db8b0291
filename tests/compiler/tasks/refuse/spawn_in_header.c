// RUN: split-file %s %t
// RUN: %tasks-refuse %t/main.c | FileCheck %s
// CHECK: fib.h:5:11: error: function 'fib' spawns, but is not defined in the file that is being compiled
// CHECK: note: define 'fib' in the source file; the header may declare it

//--- fib.h
#include <cilk/cilk.h>

static int fib(int n) {
  if (n < 2) return n;
  int x = cilk_spawn fib(n - 1);
  cilk_sync;
  return x;
}

//--- main.c
#include "fib.h"
int main(void) { return fib(3); }
