// RUN: %tasks-refuse %s | FileCheck %s
#include <cilk/cilk.h>

int twice;
// CHECK: :[[@LINE+1]]:5: error: 'twice' is defined more than once
int twice;
// CHECK: note: declare it 'extern' in all places but one

int leaf(int n);
int outer(int n) {
  int x = cilk_spawn leaf(n);
  cilk_sync;
  return x;
}
