// RUN: %host-code-refuse %s | FileCheck %s
#include <cilk/cilk.h>
int outer(int n) {
  // CHECK: :[[@LINE+1]]:3: error: 'cilk_spawn' does not stand before a call
  cilk_spawn n++;
  // CHECK: note: write 'cilk_spawn f(...)': what is spawned is the call of a function
  return n;
}
