// RUN: %tasks-refuse %s | FileCheck %s
#include <cilk/cilk.h>

struct {
  int a;
} origin;
int leaf(int n);
int outer(int n) {
  int x = cilk_spawn leaf(n);
  // CHECK: :[[@LINE+1]]:22: error: the type of 'here' has no name
  __typeof__(origin) here = origin;
  // CHECK: note: give the type a name, at file scope
  cilk_sync;
  return x + here.a;
}
