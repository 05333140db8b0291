// RUN: %host-code-refuse %s | FileCheck %s
#include <cilk/cilk.h>
void work(int n);
int leaves(int n) {
  for (int i = 0; i < n; i++) {
    cilk_spawn {
      // CHECK: block_left.c:[[@LINE+1]]:{{[0-9]+}}: error: 'break' leaves a block that is spawned
      if (i == 1) break;
      // CHECK: note: let the block set a variable, and look at it behind 'cilk_sync'
      // CHECK: block_left.c:[[@LINE+1]]:{{[0-9]+}}: error: 'continue' leaves a block that is spawned
      if (i == 2) continue;
      // CHECK: block_left.c:[[@LINE+1]]:{{[0-9]+}}: error: 'return' leaves a block that is spawned
      if (i == 3) return 1;
      // CHECK: block_left.c:[[@LINE+1]]:{{[0-9]+}}: error: 'goto' leaves a block that is spawned
      if (i == 4) goto end;
      for (int k = 0; k < i; k++) {
        if (k == 2) continue;
        if (k == 3) break;
        work(k);
      }
    }
  }
end:
  cilk_sync;
  // CHECK: error: a jump into a 'cilk_spawn', around its beginning
  goto inside;
  cilk_spawn {
  inside:
    work(n);
  }
  return 0;
}
