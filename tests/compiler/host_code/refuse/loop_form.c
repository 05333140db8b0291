// RUN: %host-code-refuse %s | FileCheck %s
#include <cilk/cilk.h>
void leaf(int n);
void outer(int n) {
  int i = 0;
  // CHECK: :[[@LINE+1]]:3: error: a 'cilk_for' needs one control variable, which its first part initialises
  cilk_for (; i < n; i++) leaf(i);
  // CHECK: note: write 'cilk_for (int i = 0; i < n; i++)'

  // CHECK: :[[@LINE+1]]:20: error: the control variable 'd' of a 'cilk_for' is neither an integer, a pointer nor a random-access iterator
  cilk_for (double d = 0; d < n; d++) leaf(n);
  // CHECK: note: count with an integer, and compute 'd' from it in the body

  // CHECK: :[[@LINE+1]]:26: error: the condition of this 'cilk_for' does not compare 'k' with a limit
  cilk_for (int k = 0; n > 3; k++) leaf(k);
  // CHECK: note: write 'k < limit', or <=, >, >= or != instead of <

  // CHECK: :[[@LINE+1]]:33: error: this 'cilk_for' does not step 'k' by a fixed amount
  cilk_for (int k = 1; k < n; k *= 2) leaf(k);
  // CHECK: note: write 'k++', 'k--', 'k += step' or 'k -= step'

  // CHECK: :[[@LINE+1]]:32: error: this 'cilk_for' steps 'k' away from its limit
  cilk_for (int k = 1; k < n; k--) leaf(k);
  // CHECK: note: turn the comparison or the step around

  // CHECK: :[[@LINE+1]]:43: error: the body of this 'cilk_for' changes 'k', its control variable
  cilk_for (int k = 1; k < n; k++) leaf(k += 2);
  // CHECK: note: use a variable of the body's own
}
