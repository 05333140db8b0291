// RUN: %tasks-refuse %s | FileCheck %s
#include <cilk/cilk.h>

int leaf(int n);
int outer(int n) {
  int x = cilk_spawn leaf(n);
  cilk_sync;
  // CHECK: :[[@LINE+1]]:10: error: a type, function or name is declared in a function that spawns
  struct point {
    int a;
  };
  // CHECK: note: declare it at file scope
  struct point p = {x};
  x = p.a;
  return x;
}
