// What is aligned to more than a GPU's frames are stays on the host, and the spawns around it go; so does a reducer of
// C that a function declares.
// RUN: %cilk2chan -O0 --device=emulated --explain %s -o %t.out 2>&1 | FileCheck %s
// RUN: %cilk2chan --serial %s -o %t.serial && %t.serial > %t.wanted
// RUN: %t.out | diff %t.wanted -
// RUN: env CHANNELS_DEVICE=emulated %t.out | diff %t.wanted -
// RUN: env CHANNELS_DEVICE=emulated CHANNELS_STATS=1 %t.out 2>&1 >/dev/null | FileCheck --check-prefix=DEVICE %s
#include <cilk/cilk.h>
#include <cilk/reducer_opadd.h>
#include <stdio.h>

struct line {
  _Alignas(64) int first;
};

static int fib(int n) {
  if (n < 2) return n;
  int x = cilk_spawn fib(n - 1);
  int y = cilk_spawn fib(n - 2);
  cilk_sync;
  return x + y;
}

static int aligned(int n) {
  struct line kept = {n};
  int x = cilk_spawn fib(n);
  int y = cilk_spawn fib(kept.first + 1);
  cilk_sync;
  return x * y + kept.first;
}

// CHECK-DAG: product: task product_
// CHECK-DAG: aligned: task aligned_{{.*}}region
// DEVICE: run {{.*}} calls on the device 'emulated'
static long product(const int* a, const int* b, int n) {
  CILK_C_REDUCER_OPADD(sum, long, 0);
  CILK_C_REGISTER_REDUCER(sum);
  cilk_for (int i = 0; i < n; i++) REDUCER_VIEW(sum) += a[i] * b[i];
  CILK_C_UNREGISTER_REDUCER(sum);
  return REDUCER_VIEW(sum);
}

int main(void) {
  static int a[300], b[300];
  for (int i = 0; i < 300; i++) {
    a[i] = i % 7;
    b[i] = i % 11;
  }
  printf("%d %ld\n", aligned(9), product(a, b, 300));
  return 0;
}
