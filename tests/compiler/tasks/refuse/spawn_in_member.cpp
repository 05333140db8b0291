// RUN: %tasks-refuse %s | FileCheck %s
#include <cilk/cilk.h>

int leaf(int n);

struct tree {
  int walk(int n) {
    // CHECK: :[[@LINE+1]]:13: error: 'cilk_spawn' in member function 'walk' is not supported
    int x = cilk_spawn leaf(n);
    // CHECK: note: make 'walk' a free function that takes a pointer to the object
    cilk_sync;
    return x;
  }
};
