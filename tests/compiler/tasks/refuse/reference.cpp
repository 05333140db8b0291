// RUN: %tasks-refuse %s | FileCheck %s
#include <cilk/cilk.h>

// CHECK: :[[@LINE+1]]:16: error: 'n' is a reference in a function that is spawned or spawns
int count(int& n) {
  // CHECK: note: use a pointer
  if (n == 0) return 1;
  int x = cilk_spawn count(n);
  cilk_sync;
  return x;
}
