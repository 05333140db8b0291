// RUN: %tasks-refuse %s | FileCheck %s
#include <cilk/cilk.h>

void fill(int* values, int n) {
  int i;
  double d;
  // CHECK: :[[@LINE+2]]:3: error: a 'cilk_for' in a task declares one variable, an integer or a pointer
  // CHECK: note: count with an integer that the loop declares
  cilk_for (i = 0; i < n; ++i) values[i] = i;
  // CHECK: :[[@LINE+1]]:3: error: a 'cilk_for' in a task declares one variable
  cilk_for (int j = 0, k = 1; j < n; ++j) values[j] = k;
  cilk_for (int j = 0; j < n; ++j) {
    // CHECK: :[[@LINE+1]]:20: error: 'break' leaves a 'cilk_for'
    if (values[j]) break;
    while (n > 3) break;
    // CHECK: :[[@LINE+1]]:25: error: 'return' leaves a 'cilk_for'
    while (values[j]) { return; }
    // CHECK: note: store the result, and return after the loop
  }
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: the body of this 'cilk_for' changes 'j', its control variable
  cilk_for (int j = 0; j < n; ++j) ++j;
}
