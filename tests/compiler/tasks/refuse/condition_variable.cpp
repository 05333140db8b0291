// RUN: %tasks-refuse %s | FileCheck %s
#include <cilk/cilk.h>

int leaf(int n);

int outer(int n) {
  int x = 0;
  // CHECK: :[[@LINE+1]]:3: error: a variable is declared in the condition of a statement that spawns
  if (int half = n / 2) {
    // CHECK: note: declare the variable before the statement
    x = cilk_spawn leaf(half);
    cilk_sync;
  }
  return x;
}
