// RUN: %tasks-refuse %s | FileCheck %s
#include <cilk/cilk.h>

struct tree {
  int walk(int n) { return n; }
};
int outer(tree* root, int n) {
  // CHECK: :[[@LINE+1]]:28: error: spawning member function or operator 'walk' is not supported
  int x = cilk_spawn root->walk(n);
  // CHECK: note: spawn a free function that takes a pointer to the object
  cilk_sync;
  return x;
}
