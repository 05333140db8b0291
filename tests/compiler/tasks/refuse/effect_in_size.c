// RUN: %tasks-refuse %s | FileCheck %s
#include <cilk/cilk.h>

// CHECK: :[[@LINE+2]]:22: error: a size in the type of 'values', a parameter of a function that spawns, has an effect
// CHECK: note: evaluate it in the body, or where the function is called
int outer(int n, int values[n++]) {
  if (n > 9) return n;
  int x = cilk_spawn outer(n + 1, values);
  cilk_sync;
  return x + values[n];
}
