// RUN: %host-code-refuse %s | FileCheck %s
#include <cilk/cilk.h>
int outer(int n, int* a) {
  cilk_for (int i = 0; i < n; i++) {
    // CHECK: :[[@LINE+1]]:15: error: 'return' leaves a 'cilk_for', whose iterations run in parallel
    if (a[i]) return i;
    // CHECK: note: store the result, and return after the loop; or use an ordinary 'for'
  }
  return 0;
}
