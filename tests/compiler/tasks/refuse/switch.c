// RUN: %tasks-refuse %s | FileCheck %s
#include <cilk/cilk.h>

int leaf(int n);

int outer(int n) {
  int x = 0;
  // CHECK: :[[@LINE+1]]:3: error: 'switch' around a spawn, a sync, or a call of a function that spawns
  switch (n) {
    // CHECK: note: use 'if', 'while', 'do' or a 'for' with an index
    case 1: x = cilk_spawn leaf(n); break;
    default: break;
  }
  cilk_sync;
  return x;
}
