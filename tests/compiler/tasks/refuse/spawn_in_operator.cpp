// RUN: %tasks-refuse %s | FileCheck %s
#include <cilk/cilk.h>

struct vector { long x; };
long leaf(long n);

vector operator-(vector a, vector b) {
  // CHECK: :[[@LINE+1]]:12: error: 'cilk_spawn' in 'operator-' is not supported
  long x = cilk_spawn leaf(a.x);
  // CHECK: note: call a function that spawns from the operator
  cilk_sync;
  return {x - b.x};
}
