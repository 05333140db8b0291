// A program that never spawns lists its settings, too, and so does one without any Cilk in it.
// RUN: %cilk2chan %s -o %t.1 && env CHANNELS_HELP=1 %t.1 | FileCheck %s
// RUN: %cilk2chan -DSPAWNS %s -o %t.2 && env CHANNELS_HELP=1 %t.2 | FileCheck %s
// RUN: %cilk2chan -DSPAWNS --no-tasks %s -o %t.3 && env CHANNELS_HELP=1 %t.3 | FileCheck %s
// RUN: %cilk2chan-tasks -DSPAWNS %s -o %t.4 && env CHANNELS_HELP=1 %t.4 | FileCheck %s
// RUN: %t.1 | FileCheck --check-prefix=RUNS %s
// RUN: env CHANNELS_CUS=many not %t.1 2>&1 | FileCheck --check-prefix=WRONG %s
// CHECK: CHANNELS_DEVICE
// CHECK: CHANNELS_ORDER
// CHECK: CHANNELS_CUS
// CHECK: CHANNELS_STATS
// CHECK-NOT: runs
// RUNS: runs
// WRONG: channels: CHANNELS_CUS=many: expected a whole number
#include <stdio.h>
#ifdef SPAWNS
#include <cilk/cilk.h>
int never(int n) {
  int x = cilk_spawn never(n);
  cilk_sync;
  return x;
}
#endif

int main(int argc, char** argv) {
  (void)argv;
  puts("runs");
#ifdef SPAWNS
  if (argc > 100) return never(1);
#endif
  return argc > 200;
}
