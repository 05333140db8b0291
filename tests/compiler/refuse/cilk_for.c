// RUN: %refuse %s | FileCheck %s
#include <cilk/cilk.h>

void fill(int* values, int n) {
  // CHECK: :[[@LINE+1]]:3: error: 'cilk_for' is not supported yet
  cilk_for (int i = 0; i < n; ++i) values[i] = i;
  // CHECK: note: write a function that halves the range, spawns itself on one half
}
