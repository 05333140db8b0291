// RUN: %tasks-refuse %s | FileCheck %s
#include <cilk/cilk.h>

#include <stdlib.h>
#define ALLOCATE(p) p = 1 ? malloc(4) : p
void allocate(int** place) {
  // CHECK: :[[@LINE+1]]:3: error: a conversion inside a macro needs an explicit cast in C++
  ALLOCATE(*place);
  // CHECK: note: write the cast '(int *)' in the macro
}

int leaf(int n);
int outer(int n) {
  int x = cilk_spawn leaf(n);
  cilk_sync;
  return x;
}
