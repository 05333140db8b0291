// RUN: %tasks-refuse %s | FileCheck %s
#include <cilk/cilk.h>

int leaf(int n);

struct flags { int a : 3; };
int outer(struct flags* flags, int n) {
  // CHECK: error: the result of a task cannot go to a bit-field
  flags->a = cilk_spawn leaf(n);
  // CHECK: note: use a variable, and copy it after 'cilk_sync'
  cilk_sync;
  return flags->a;
}
