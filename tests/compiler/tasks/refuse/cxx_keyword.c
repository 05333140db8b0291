// RUN: %tasks-refuse %s | FileCheck %s
#include <cilk/cilk.h>

// CHECK: :[[@LINE+1]]:5: error: 'new' is a keyword in C++, to which this file is translated
int new;
// CHECK: note: use another name

int leaf(int n);
int outer(int n) {
  int x = cilk_spawn leaf(n);
  cilk_sync;
  return x;
}
