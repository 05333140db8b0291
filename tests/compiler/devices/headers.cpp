// A template of the program's own header stays on the host with the function that calls it, unless it is constexpr.
// RUN: %cilk2chan -O0 --device=emulated -I %S/files %s -o %t.out 2>&1 | FileCheck %s
// RUN: env CHANNELS_DEVICE=emulated %t.out | FileCheck --check-prefix=RESULT %s
#include <cilk/cilk.h>

#include <cstdio>

#include "templates.hpp"

int goes(int n) {
  if (n < 2) return thrice(n);
  int x = cilk_spawn goes(n - 1);
  int y = cilk_spawn goes(n - 2);
  cilk_sync;
  return x + y;
}
// CHECK: warning: stays: stays on the host{{.*}}headers.cpp:[[@LINE+2]]:{{[0-9]+}}: 'twice', which a task calls, is a member or a template of a header
int stays(int n) {
  if (n < 2) return twice(n);
  int x = cilk_spawn stays(n - 1);
  int y = cilk_spawn stays(n - 2);
  cilk_sync;
  return x + y;
}

int main() {
  // RESULT: 165 110
  std::printf("%d %d\n", goes(10), stays(10));
}
