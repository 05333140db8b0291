// RUN: %tasks-refuse %s | FileCheck %s
#include <cilk/cilk.h>

enum state { IDLE, BUSY };
enum below { LESS = -1, MORE };

int leaf(int n);
int outer(enum state e, enum state f, enum below l, int n) {
  int x = cilk_spawn leaf(n);
  cilk_sync;
  // CHECK-NOT: :[[@LINE+1]]:{{.*}} error
  x += e + 1 + (e == BUSY) + (BUSY - IDLE) + (l - MORE) + (e > 0) + ((int)e - 1) * (IDLE - 1) + (e - 1);
  // CHECK: :[[@LINE+1]]:16: error: a value of an enumeration is unsigned in C and not in C++
  x += (e - f) > 3;
  // CHECK: :[[@LINE+1]]:10: error: a value of an enumeration
  x += e > n;
  // CHECK: :[[@LINE+1]]:18: error: a value of an enumeration
  const long y = e - 1;
  // CHECK: :[[@LINE+1]]:19: error: a value of an enumeration
  return (~e + n) / 2 * x + (int)y;
}
