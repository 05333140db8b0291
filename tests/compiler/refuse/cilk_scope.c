// RUN: %refuse %s | FileCheck %s
#include <cilk/cilk.h>

int leaf(int n);

int outer(int n) {
  int x;
  // CHECK: :[[@LINE+1]]:3: error: 'cilk_scope' is not supported yet
  cilk_scope { x = cilk_spawn leaf(n); }
  // CHECK: note: write its block as a function that ends with 'cilk_sync'
  return x;
}
