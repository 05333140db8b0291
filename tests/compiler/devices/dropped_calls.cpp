// nvcc leaves out what a constexpr function of a library calls that is the host's alone, and says
// nothing. Functions that lead there stay on the host; those that do so only where nothing is a
// constant do not.
// RUN: %cilk2chan -O0 --device=emulated --explain -I %S/files %s -o %t.out 2>&1 | FileCheck %s
// RUN: env CHANNELS_DEVICE=emulated %t.out | FileCheck --check-prefix=RESULT %s
#include <cilk/cilk.h>

#include <cstdio>

#include "dropping.hpp"

// CHECK: drops: stays on the host{{.*}}'next', which a task calls, has no code for the device
static int drops(int n) {
  if (n < 2) return next(n);
  int a = cilk_spawn drops(n - 1);
  int b = drops(n - 2);
  cilk_sync;
  return a + b;
}
static int keeps(int n) {
  if (n < 2) return next_of_both(n);
  int a = cilk_spawn keeps(n - 1);
  int b = keeps(n - 2);
  cilk_sync;
  return a + b;
}
// CHECK: tasks: 1 of 2 functions, 0 of 0 loops
// RESULT: 144 144
int main() {
  std::printf("%d %d\n", drops(10), keeps(10));
  return 0;
}
