// RUN: %refuse %s | FileCheck %s
#include <cilk/cilk.h>

int leaf(int n);
int outer(int n) {
  int x = cilk_spawn leaf(n);
  cilk_sync;
  // CHECK: :[[@LINE+1]]:7: error: variable-length array 'values' in a function that spawns
  int values[n];
  // CHECK: note: use an array of constant size, or memory from malloc
  values[0] = x;
  return x;
}
