// RUN: %tasks-refuse %s | FileCheck %s
#include <assert.h>
#include <cilk/cilk.h>
int leaf(const char* name);
int outer(int n) {
  assert(n > 0);
  // CHECK: :[[@LINE+1]]:27: error: the name of a function that spawns is another one in its task
  int x = cilk_spawn leaf(__func__);
  // CHECK: note: write the name out, or ask for it in a function that does not spawn
  cilk_sync;
  return x;
}
