// What has no code for a device stays on the host, and its children that can go, go; the compiler says which, by name
// and with the reason. A program of which nothing can go is refused.
// RUN: %cilk2chan -O0 --device=emulated %s -lm -o %t.out 2>&1 | FileCheck %s
// RUN: %cilk2chan --serial %s -lm -o %t.serial && %t.serial | FileCheck --check-prefix=RESULT %s
// RUN: %t.out | FileCheck --check-prefix=RESULT %s
// RUN: env CHANNELS_DEVICE=emulated %t.out | FileCheck --check-prefix=RESULT %s
// RUN: env CHANNELS_DEVICE=emulated CHANNELS_STATS=1 %t.out 2>&1 >/dev/null | FileCheck --check-prefix=DEVICE %s
// RUN: %host-code-refuse -DNOTHING --device=emulated %s | FileCheck --check-prefix=NOTHING %s
// RUN: %cilk2chan -O0 -DNOTHING --device=emulated -c %s -o %t.o 2>&1 | FileCheck --check-prefix=PART %s
#include <cilk/cilk.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local int mine;
static int kept(int n) {
  static int calls;
  return calls += n;
}
static int on_host(int n) { return getenv("NOWHERE") != NULL ? n : 0; }

static int on_device(int n) {
  char text[8];
  memset(text, 0, sizeof text);
  return (int)sqrt(n * 4.0) + abs(n) + (int)floorf(1.5F) + text[0];
}

#ifndef NOTHING
int goes(int n) {
  if (n < 2) return on_device(n);
  int x = cilk_spawn goes(n - 1);
  int y = cilk_spawn goes(n - 2);
  cilk_sync;
  return x + y;
}
#else
int goes(int n) { return on_device(n); }
#endif

// CHECK: warning: prints: stays on the host{{.*}}stays.c:[[@LINE+4]]:{{[0-9]+}}: 'perror', which a task calls, has no code for the device
// CHECK-NOT: error
int prints(int n) {
  int x = cilk_spawn goes(n);
  if (n < 0) perror("no");
  int y = goes(n + 1);
  cilk_sync;
  return x + y;
}
// CHECK: warning: asks: {{.*}}it calls 'on_host', which stays on the host: {{.*}}stays.c:[[@LINE-29]]:{{[0-9]+}}: 'getenv', which a task calls
int asks(int n) {
  int x = cilk_spawn goes(n);
  int y = on_host(n);
  cilk_sync;
  return x + y;
}
// CHECK: warning: points: {{.*}}only known when the program runs
int points(int n, int (*function)(int)) {
  int x = cilk_spawn goes(n);
  int y = function(n);
  cilk_sync;
  return x + y;
}
// CHECK: warning: keeps: {{.*}}'kept', which a task calls, cannot be compiled for the device: it keeps a static variable
int keeps(int n) {
  int x = cilk_spawn goes(n);
  int y = kept(n);
  cilk_sync;
  return x + y;
}
// CHECK: warning: threads: {{.*}}'mine' is static and thread-local
int threads(int n) {
  int x = cilk_spawn goes(n);
  mine += n;
  cilk_sync;
  return x + mine;
}
// CHECK: warning: wide: {{.*}}'d' is a 'long double', or has one
int wide(int n) {
  int x = cilk_spawn goes(n);
  struct sum {
    long double of;
  } d = {n};
  cilk_sync;
  return x + (int)d.of;
}
// CHECK: warning: widens: {{.*}}no device calculates with 'long double'
int widens(int n, const int* at) {
  int x = cilk_spawn goes(n);
  int y = (int)(*at * 0.1L);
  cilk_sync;
  return x + y;
}
// CHECK: warning: turns: {{.*}}arithmetic with complex numbers of C
int turns(int n) {
  int x = cilk_spawn goes(n);
  int _Complex z = 1;
  z *= z + n;
  cilk_sync;
  return x + (int)__real__ z;
}
#ifndef NOTHING
// What runs in parallel in a function that calls host code before it goes without that.
int opens(int n) {
  if (getenv("NOWHERE") != NULL) return 0;
  int x = cilk_spawn goes(n);
  int y = goes(n + 1);
  cilk_sync;
  return x + y;
}
#else
#define opens(n) 97
#endif
// CHECK-NOT: opens: stays

// NOTHING: error: prints: stays on the host
// NOTHING: error: main: stays on the host{{.*}} it calls 'on_host', which stays on the host: {{.*}}'getenv', which a task calls
// NOTHING: error: nothing in this program can run on a device
// PART: warning: prints: stays on the host

// RESULT: 97 23 23 23 23 23 97 0
int main(void) {
  int a[4] = {1};
#ifdef NOTHING
  cilk_for (int i = 0; i < 4; ++i) a[i] = on_host(i);
#endif
  printf("%d %d %d %d %d %d %d %d\n", prints(6), asks(5), points(5, on_host), keeps(5) - 5, threads(5) - 5, wide(5) - 5 + turns(5) - 29, opens(6), a[3]);
  return 0;
}
// DEVICE: channels: prints: stays on the host
// DEVICE: run {{.*}} 9 calls on the device 'emulated'
