// What the host compiler has to say points into the user's file, and a failure leaves no executable.
// RUN: %tasks-refuse %s | FileCheck %s
#include <cilk/cilk.h>

struct point {
  struct inner {
    int a;
  } in;
};
int leaf(int n);
int outer(int n) {
  int x = cilk_spawn leaf(n);
  cilk_sync;
  // CHECK: host_error.c:[[@LINE+1]]
  struct inner i = {x};
  return i.a;
}
