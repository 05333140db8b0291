// Functions whose tasks do not compile as C++ stay on the host, and no other: a remark has the compiler's error. What does
// not spawn is called as it is, and a plain form has other names for variables that are called like keywords.
// RUN: %cilk2chan -w --explain %s -o %t 2>&1 | FileCheck --check-prefix=TOLD %s
// RUN: %t | FileCheck %s
// RUN: env CHANNELS_ORDER=channels CHANNELS_STATS=1 %t 2>&1 | FileCheck --check-prefixes=CHECK,STAY %s
// RUN: %cilk2chan -w -O0 --device=emulated %s -o %t.device 2>&1 | FileCheck --check-prefix=DEVICE %s
// RUN: env CHANNELS_DEVICE=emulated CHANNELS_STATS=1 %t.device 2>&1 | FileCheck --check-prefixes=CHECK,ON-DEVICE %s
// RUN: %cilk2chan -w --no-line %s -o %t.without && %t.without | FileCheck %s
#include <cilk/cilk.h>
#include <stdio.h>

// C++ has only outer::inner.
struct outer {
  struct inner {
    int a;
  } in;
};
struct inner alone = {4};

static int helper(int n) {
  struct inner h = {n};
  return h.a;
}
// TOLD: remark: helper: it does not compile as C++: {{.*}}not_cxx_functions.c:[[@LINE-3]]:{{[0-9]+}}: error: {{.*}}'struct inner'
int refused(int n) {
  if (n < 2) return n + 0 * alone.a;
  // TOLD: remark: refused: it does not compile as C++: {{.*}}not_cxx_functions.c:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}'struct inner'
  int x = cilk_spawn refused(n - 1);
  int y = refused(n - 2);
  cilk_sync;
  return x + y;
}
int calls_helper(int n) {
  if (n < 2) return helper(n);
  int x = cilk_spawn calls_helper(n - 1);
  int y = calls_helper(n - 2);
  cilk_sync;
  return x + y;
}
int keyword(int n) {
  if (n < 2) return n;
  int new = cilk_spawn keyword(n - 1);
  int y = keyword(n - 2);
  cilk_sync;
  return new + y;
}
int good(int n) {
  if (n < 2) return n;
  int x = cilk_spawn good(n - 1);
  int y = good(n - 2);
  cilk_sync;
  return x + y;
}
// STAY: channels: refused: stays on the host, depth-first: {{.*}}it does not compile as C++
int main(void) {
  // CHECK: 55 55 55 55
  printf("%d %d %d %d\n", refused(10), calls_helper(10), keyword(10), good(10));
  return 0;
}
// TOLD: refused: stays on the host, depth-first: {{.*}}it does not compile as C++: {{.*}}error:
// TOLD-NEXT: tasks: 3 of 4 functions, 0 of 0 loops
// STAY: tasks{{ +}}{{[1-9][0-9]+}}
// DEVICE: remark: helper: it does not compile
// ON-DEVICE: on the device 'emulated'
