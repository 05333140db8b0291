// RUN: %tasks-refuse %s | FileCheck %s
#include <cilk/cilk.h>

int leaf(int n);
int outer(int n) {
  int x = cilk_spawn leaf(n);
  cilk_sync;
  // CHECK: :[[@LINE+1]]:14: error: exceptions in a function that spawns are not supported
  if (x > 3) throw 1;
  // CHECK: note: return a status instead: an exception cannot cross a task
  // CHECK: :[[@LINE+1]]:3: error: exceptions in a function that spawns are not supported
  try {
    x = 2;
  } catch (int) {
  }
  return x;
}
