// A task on a device has another spelling for a function's address, which needs the name in the text. Where a macro has
// it, the caller stays on the host.
// RUN: %cilk2chan -O0 --device=emulated %s -o %t.out 2>&1 | FileCheck --check-prefix=WARN %s
// RUN: env CHANNELS_DEVICE=emulated %t.out | FileCheck %s
#include <cilk/cilk.h>
#include <stdio.h>

static int twice(int n) { return 2 * n; }
static int apply(int (*function)(int), int n) { return function(n); }
int sum(int (*function)(int), int n) {
  if (n < 2) return apply(function, n);
  int x = cilk_spawn sum(function, n - 1);
  int y = sum(function, n - 2);
  cilk_sync;
  return x + y;
}
#define APPLY(n) apply(twice, (n) + 1)
static int applied(int n) {
  return APPLY(n);
}
// WARN: warning: hides: stays on the host{{.*}}it calls 'applied', which stays on the host: {{.*}}: the address of 'twice' is taken in a macro
int hides(int n) {
  int x = cilk_spawn sum(twice, n);
  int y = applied(n);
  cilk_sync;
  return x + y;
}

// CHECK: 16 6
int main(void) {
  printf("%d %d\n", sum(twice, 6), hides(1));
  return 0;
}
