// RUN: %tasks-refuse %s | FileCheck %s
#include <cilk/cilk.h>

int leaf(int n);
int outer(int n) {
  int x = 0;
  while (n > 0) {
    // CHECK: :[[@LINE+2]]:16: error: 'break' or 'continue' leaves a 'cilk_scope'
    // CHECK: note: write 'cilk_sync;' before it
    cilk_scope {
      x = cilk_spawn leaf(n--);
      if (n == 5) continue;
      for (int i = 0; i < 3; ++i) {
        if (i == 2) break;
        switch (n) {
          default: break;
        }
      }
    }
    // CHECK: :[[@LINE+1]]:16: error: 'break' or 'continue' leaves a 'cilk_scope'
    cilk_scope {
      x += n;
      int y = cilk_spawn leaf(x);
      if (y) break;
    }
  }
  return x;
}
