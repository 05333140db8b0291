// RUN: %tasks-refuse %s | FileCheck %s
#include <cilk/cilk.h>

enum day { monday, tuesday };
int leaf(int n);
int outer(enum day d, void* p) {
  int x = cilk_spawn leaf(d);
  // CHECK: :[[@LINE+1]]:4: error: in C++ an enumeration has no such operation
  d++;
  // CHECK: :[[@LINE+1]]:5: error: in C++ an enumeration has no such operation
  d += 2;
  // CHECK: :[[@LINE+1]]:5: error: C++ has no arithmetic on pointers to void or functions
  p += 2;
  // CHECK: :[[@LINE+1]]:9: error: C++ has no arithmetic on pointers to void or functions
  p = p + 1;
  // CHECK: :[[@LINE+1]]:18: error: in C++ a text in an array has room for the zero behind it
  char text[2] = "ab";
  cilk_sync;
  return x + d + text[0] + *(char*)p;
}
