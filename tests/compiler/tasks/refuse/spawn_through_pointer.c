// RUN: %tasks-refuse %s | FileCheck %s
#include <cilk/cilk.h>

int outer(int (*function)(int), int n) {
  // CHECK: :[[@LINE+1]]:22: error: spawning through a function pointer is not supported
  int x = cilk_spawn function(n);
  // CHECK: note: spawn a function by its name; it can make the call through the pointer
  cilk_sync;
  return x;
}
