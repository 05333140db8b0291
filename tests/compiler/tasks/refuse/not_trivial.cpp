// RUN: %tasks-refuse %s | FileCheck %s
#include <cilk/cilk.h>

#include <string>

// CHECK: :[[@LINE+1]]:23: error: 'text' is not trivially copyable, and would have to move with a task
int count(std::string text, int n) {
  // CHECK: note: pass a pointer to an object that outlives the task
  if (n == 0) return 1;
  int x = cilk_spawn count(text, n - 1);
  cilk_sync;
  return x;
}
