// RUN: %host-code-refuse %s | FileCheck %s
#include <cilk/cilk.h>
int leaf(int n);
constexpr int outer(int n) {
  if (n < 3) return n;
  // CHECK: :[[@LINE+1]]:11: error: function 'outer' spawns and is 'constexpr'
  int x = cilk_spawn leaf(n);
  // CHECK: note: leave out 'constexpr': children run when the program runs
  return x;
}
