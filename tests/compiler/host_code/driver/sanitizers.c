// Compiled programs run under sanitizers, which report what the program does and nothing of the library.
// RUN: %cilk2chan -fsanitize=thread -g %s -o %t
// RUN: env CHANNELS_CUS=3 CHANNELS_GIVE=always %t 2>&1 | FileCheck %s
// RUN: env CHANNELS_CUS=3 CHANNELS_ORDER=channels %t 2>&1 | FileCheck %s
// RUN: %cilk2chan -fsanitize=thread -g -DRACE %s -o %t
// RUN: env TSAN_OPTIONS=halt_on_error=1 CHANNELS_CUS=3 CHANNELS_GIVE=always not %t 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: %cilk2chan -fsanitize=address,undefined -g %s -o %t
// RUN: env CHANNELS_CUS=3 CHANNELS_GIVE=always %t 2>&1 | FileCheck %s
// RUN: env CHANNELS_CUS=3 CHANNELS_ORDER=channels %t 2>&1 | FileCheck %s
// CHECK-NOT: WARNING
// CHECK-NOT: ERROR
// CHECK: 610 4950
// RACE: WARNING: ThreadSanitizer: data race
// REQUIRES: not-sanitized
#include <cilk/cilk.h>

#include <stdio.h>

static long values[100];
static long last;

void add(int from, int count) {
  if (count == 1) {
    values[from] += from;
#ifdef RACE
    last = from;
#endif
    return;
  }
  cilk_spawn add(from, count / 2);
  cilk_spawn add(from + count / 2, count - count / 2);
  cilk_sync;
}

long fib(int n) {
  if (n < 2) return n;
  long x = cilk_spawn fib(n - 1);
  long y = cilk_spawn fib(n - 2);
  cilk_sync;
  return x + y;
}

int main(void) {
#ifdef RACE
  // As often as it takes for another thread to come in time.
  for (int again = 0; again < 2000; ++again) add(0, 100);
#endif
  add(0, 100);
  long sum = last;
  for (int i = 0; i < 100; ++i) sum += values[i];
  printf("%ld %ld\n", fib(15), sum);
  return 0;
}
