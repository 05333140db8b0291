// RUN: %tasks-refuse %s | FileCheck %s
#include <cilk/cilk.h>

struct frame { int a; };
int leaf(int n);

int outer(int n) {
  int x = cilk_spawn leaf(n);
  cilk_sync;
  // CHECK: error: the type or namespace 'frame' has a name that generated tasks use themselves
  struct frame picture = {x};
  // CHECK: note: rename 'frame'
  return picture.a;
}
