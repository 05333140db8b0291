// A recursion that leaves its stack says so before the signal that ends the program, on any thread.
// RUN: %cilk2chan %s -o %t
// RUN: env CHANNELS_CUS=1 not --crash %t 2>&1 | FileCheck %s
// RUN: env CHANNELS_CUS=3 CHANNELS_GIVE=always not --crash %t 2>&1 | FileCheck %s
// RUN: env CHANNELS_CUS=1 not --crash %t other 2>&1 | FileCheck %s --check-prefix=OTHER --allow-empty
// CHECK: channels: deep: the recursion needs more than the {{[0-9]+}} KiB of this thread's stack;
// CHECK-SAME: allow more with 'ulimit -s', or run it through channels (CHANNELS_ORDER=channels)
// OTHER-NOT: channels:
// REQUIRES: not-sanitized
#include <cilk/cilk.h>

#include <stdio.h>

long deep(long n) {
  volatile char used[512];
  used[n % 512] = (char)n;
  if (n == -1) return used[0];
  long below = cilk_spawn deep(n + 1);
  long beside = cilk_spawn deep(-1);
  cilk_sync;
  return below + beside + used[n % 512];
}

int main(int count, char** arguments) {
  (void)arguments;
  if (count > 1) *(volatile int*)8 = 1;
  printf("%ld\n", deep(0));
  return 0;
}
