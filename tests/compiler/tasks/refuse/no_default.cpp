// RUN: %tasks-refuse %s | FileCheck %s
#include <cilk/cilk.h>

struct element_of {
  const int* values;
  element_of(const int* from) : values(from) {}
};
// CHECK: :[[@LINE+1]]:22: error: the type of 'get' has no default constructor, and 'get' would
int count(element_of get, int n) {
  // CHECK: note: give the type one, or pass a pointer to an object that outlives the task
  if (n == 0) return *get.values;
  int x = cilk_spawn count(get, n - 1);
  cilk_sync;
  return x;
}
