// RUN: %tasks-refuse %s | FileCheck %s
#include <cilk/cilk.h>
int leaf(int n);
int outer(int n) {
  int x = 0;
  // CHECK: :[[@LINE+1]]:14: error: an attribute around a spawn, a sync, or a call of a function that spawns is not supported
  if (n > 3) [[unlikely]] {
    x = cilk_spawn leaf(n);
  }
  cilk_sync;
  return x;
}
