// RUN: %refuse %s | FileCheck %s
#include <cilk/cilk.h>

#include <alloca.h>
int leaf(int n);
int outer(int n) {
  int x = cilk_spawn leaf(n);
  cilk_sync;
  // CHECK: :[[@LINE+1]]:17: error: '__builtin_alloca' in a function that spawns is not supported
  int* values = alloca(n);
  // CHECK: note: use an array of constant size, or memory from malloc
  values[0] = x;
  return x;
}
