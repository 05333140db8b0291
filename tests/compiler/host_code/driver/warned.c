// RUN: %cilk2chan -c %s -o %t.o 2>&1 | FileCheck %s
#include <cilk/cilk.h>
struct bits { unsigned b : 4; };
int leaf(int n);
int main(void) {
  struct bits x = {1};
  // CHECK: warned.c:[[@LINE+1]]:9: remark: this spawn runs serially: it is assigned to a bit-field
  x.b = cilk_spawn leaf(1);
  // WARNED: warned.c:[[@LINE+1]]:7: warning: unused variable 'unused'
  int unused;
  // CHECK-NOT: warning:
  // WARNED-NOT: warning: unused variable
  cilk_spawn leaf(2);
  // CHECK: remark: this spawn runs serially: its result is part of a larger expression
  return x.b + cilk_spawn leaf(3);
}
int leaf(int n) { return n; }
