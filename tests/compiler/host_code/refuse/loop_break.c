// RUN: %host-code-refuse %s | FileCheck %s
#include <cilk/cilk.h>
void outer(int n, int* a) {
  cilk_for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      if (j == 3) break;
    }
    // CHECK: :[[@LINE+1]]:16: error: 'break' leaves a 'cilk_for', whose iterations run in parallel
    if (a[i]) {break;}
    // CHECK: note: use 'continue' and a flag, or an ordinary 'for'
  }
}
