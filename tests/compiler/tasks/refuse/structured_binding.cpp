// RUN: %tasks-refuse %s | FileCheck %s
#include <cilk/cilk.h>

struct pair { int a, b; };
int leaf(int n);
int outer(pair both) {
  // CHECK: error: structured bindings live across a spawn or a sync
  auto [a, b] = both;
  // CHECK: note: declare variables with names of their own
  int x = cilk_spawn leaf(a);
  cilk_sync;
  return x + b;
}
