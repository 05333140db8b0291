// RUN: %host-code-refuse %s | FileCheck %s
#include <cilk/cilk.h>
int leaf(int n);
void outer(int n) {
  switch (n) {
    cilk_for (int i = 0; i < n; i++) {
      // CHECK: :[[@LINE+1]]:7: error: a jump into a 'cilk_for', around its beginning
      case 3: leaf(i);
    }
  }
  // CHECK: :[[@LINE+1]]:14: error: a jump into a 'cilk_scope', around its beginning
  if (n > 3) goto inside;
  // CHECK: note: put the label outside, or the whole of the jump inside
  cilk_scope {
    cilk_spawn leaf(n);
  inside:
    cilk_spawn leaf(n + 1);
  }
}
