// A program that asks whether the compiler knows Cilk gets its Cilk, in each form; its serial elision does not.
// RUN: %cilk2chan %s -o %t && env CHANNELS_ORDER=channels %t | FileCheck %s
// RUN: %cilk2chan --emit=tasks %s | FileCheck %s --check-prefix=TASKS
// RUN: %cilk2chan-tasks %s -o %t.tasks && %t.tasks | FileCheck %s
// RUN: %cilk2chan -O0 --device=emulated %s -o %t.device && env CHANNELS_DEVICE=emulated %t.device | FileCheck %s
// RUN: %cilk2chan --serial %s -o %t.serial && %t.serial | FileCheck %s --check-prefix=SERIAL
#ifdef __cilk
#include <cilk/cilk.h>
#else
#define cilk_spawn
#define cilk_sync
#endif
#include <stdio.h>

// TASKS: struct fib_task
static long fib(int n) {
  if (n < 2) return n;
  long x = cilk_spawn fib(n - 1);
  long y = cilk_spawn fib(n - 2);
  cilk_sync;
  return x + y;
}

int main(void) {
#if defined(__cilk) && __cilk >= 200
  // CHECK: Cilk 300: 6765
  printf("Cilk %d: %ld\n", __cilk, fib(20));
#else
  // SERIAL: none: 6765
  printf("none: %ld\n", fib(20));
#endif
  return 0;
}
