// RUN: %tasks-refuse %s | FileCheck %s
#include <cilk/cilk.h>

int leaf(int n);
int values[3];
int outer() {
  int x = 0;
  // CHECK: :[[@LINE+1]]:3: error: a 'for' over a range around a spawn, a sync, or a call
  for (int value : values) {
    x = cilk_spawn leaf(value);
    cilk_sync;
  }
  return x;
}
