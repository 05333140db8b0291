// RUN: %host-code-refuse %s | FileCheck %s
#include <cilk/cilk.h>
int outer(int n, int* a) {
  cilk_for (int i = 0; i < n; i++) {
  again:
    if (a[i]++ < 3) goto again;
    // CHECK: :[[@LINE+1]]:15: error: 'goto' leaves a 'cilk_for', whose iterations run in parallel
    if (a[i]) goto out;
    // CHECK: note: use 'continue' and a flag, or an ordinary 'for'
  }
out:
  return 0;
}
