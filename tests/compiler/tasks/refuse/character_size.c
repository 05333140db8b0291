// RUN: %tasks-refuse %s | FileCheck %s
#include <cilk/cilk.h>

// CHECK: :[[@LINE+1]]:12: error: the size of a character constant differs between C and C++
int size = sizeof('a');
// CHECK: note: write 'sizeof(int)' or 'sizeof(char)'

int leaf(int n);
int outer(int n) {
  int x = cilk_spawn leaf(n);
  cilk_sync;
  return x;
}
