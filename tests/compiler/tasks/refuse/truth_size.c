// RUN: %tasks-refuse %s | FileCheck %s
#include <cilk/cilk.h>

int leaf(int n);
int outer(int n) {
  int x = cilk_spawn leaf(n);
  cilk_sync;
  // CHECK: :[[@LINE+1]]:19: error: the size of what is true or false differs between C and C++
  return x + (int)sizeof(n == x);
}
// CHECK: :[[@LINE+1]]:22: error: the size of what is true or false differs between C and C++
int sizes = (int)(0, sizeof(1, !2));
int types(int n) {
  // CHECK: :[[@LINE+1]]:15: error: the type of what is true or false, or of a character constant, differs
  __auto_type a = n && 2;
  // CHECK: :[[@LINE+1]]:19: error: the type of what is true or false
  __typeof__('a') b = 300;
  // CHECK: :[[@LINE+1]]:18: error: the type of what is true or false
  return a + b + _Generic(n < 2, int: 3, default: 4);
}
