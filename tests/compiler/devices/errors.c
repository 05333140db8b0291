// A run that fails on a device ends the program, with a message that names the task and the setting.
// RUN: %cilk2chan -O0 --device=emulated %s -o %t.out
// RUN: env CHANNELS_DEVICE=emulated CHANNELS_MEMORY=8K CHANNELS_CUS=1 not %t.out 100000 2>&1 | FileCheck %s
// CHECK: channels: device: task chain, level {{[0-9]+}}: no memory is left {{.*}}; CHANNELS_MEMORY sets
// RUN: env CHANNELS_DEVICE=emulated CHANNELS_MEMORY=64M CHANNELS_CUS=1 %t.out 200 | FileCheck --check-prefix=FINE %s
// FINE: 200
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

long chain(long n) {
  if (n == 0) return 0;
  long x = cilk_spawn chain(n - 1);
  cilk_sync;
  return n > x ? x + 1 : 0;  // no sum: it has to wait
}

int main(int argc, char** argv) {
  printf("%ld\n", chain(argc > 1 ? atol(argv[1]) : 1));
  return 0;
}
