// RUN: %host-code-refuse %s | FileCheck %s
#include <cilk/cilk.h>
int outer(int n) {
  if (n > 3) return 1;
  // CHECK: :[[@LINE+1]]:12: error: 'cilk_scope' does not stand before a statement
  return n cilk_scope;
  // CHECK: note: write 'cilk_scope { ... }'
}
