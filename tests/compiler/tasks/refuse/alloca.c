// RUN: %tasks-refuse %s | FileCheck %s
#include <cilk/cilk.h>

#include <alloca.h>
int leaf(int n);
int use(void* memory);
int outer(int n) {
  int x = cilk_spawn leaf(n);
  cilk_sync;
  int* rows[3];
  int row = 0;
  // CHECK: :[[@LINE+1]]:3: error: the place that takes the result of this call is computed with side effects
  rows[row++] = (int*)alloca(8);
  // CHECK: :[[@LINE+2]]:{{[0-9]+}}: error: '__builtin_alloca' in a larger expression, in a function that spawns
  // CHECK: note: set a pointer to its result in a statement of its own
  x += use(alloca(n));
  // CHECK: :[[@LINE+2]]:{{[0-9]+}}: error: '__builtin_alloca' in a larger expression
  // CHECK-NOT: error:
  int* values = n > 3 ? alloca(n) : 0;
  return *values + *rows[0] + x;
}
