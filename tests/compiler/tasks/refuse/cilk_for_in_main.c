// RUN: %tasks-refuse %s | FileCheck %s
#include <cilk/cilk.h>

int main(void) {
  // CHECK: :[[@LINE+2]]:3: error: 'cilk_for' in 'main' is not supported
  // CHECK: note: move the loop into a function of its own
  cilk_for (int i = 0; i < 4; ++i) {}
  return 0;
}
