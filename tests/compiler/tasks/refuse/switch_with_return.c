// RUN: %tasks-refuse %s | FileCheck %s
#include <cilk/cilk.h>

int leaf(int n);

int outer(int n) {
  int x = cilk_spawn leaf(n);
  // CHECK: :[[@LINE+1]]:3: error: a 'switch' or a 'for' over a range, with a return, around a spawn
  switch (n) {
    case 1: return 3;
    default: break;
  }
  cilk_sync;
  return x;
}
