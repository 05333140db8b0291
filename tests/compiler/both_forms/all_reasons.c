// --explain tells all that keeps a function on the host, also what waits behind the first obstacle: first what stands in
// the functions that it calls, innermost first. Last it counts.
// RUN: %cilk2chan --explain --emit=source -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %cilk2chan --explain --device=emulated -DDEVICE --emit=source -o /dev/null %s 2>&1 | FileCheck --check-prefixes=CHECK,DEVICE %s
// RUN: %cilk2chan --device=emulated -DDEVICE --emit=source -o /dev/null %s 2>&1 | FileCheck --check-prefix=WARNED %s
// RUN: %host-code-refuse --explain --device=emulated -DDEVICE -DNOTHING %s | FileCheck --check-prefix=NOTHING %s
// RUN: %cilk2chan-tasks --explain --emit=source -DTASKS -o /dev/null %s 2>&1 | FileCheck --check-prefix=TASKS %s
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

#include "files/keeps.h"

#ifndef NOTHING
int good(int n) {
  if (n < 2) return n;
  int x = cilk_spawn good(n - 1);
  int y = good(n - 2);
  cilk_sync;
  return x + y;
}
void fill(int* a, int n) { cilk_for(int i = 0; i < n; ++i) a[i] = i; }
#else
int good(int n);
void fill(int* a, int n);
#endif
// TASKS: tasks: 2 of 2 functions, 1 of 1 loops
#ifndef TASKS

int jumps(int n) {
  int total = 0;
  static int calls;
  if (n < 2) goto end;
  total += cilk_spawn jumps(n - 1);
  int y = 1 + jumps(n - 2);
  cilk_sync;
  if (y > 100) goto end;
  return total + y;
end:
  return ++calls;
}
static int by_way(int n) { return jumps(n); }
static int asks(int n) { return getenv("NOWHERE") != NULL ? n : 0; }

int several(int n) {
  int x = cilk_spawn by_way(n);
  int y = keeps(n);
#ifdef DEVICE
  y += asks(n);
#endif
  cilk_sync;
  switch (n) {
    case 1: x = cilk_spawn good(n); cilk_sync;
  }
  return x + y;
}
int calls_it(int n) {
  int x = cilk_spawn several(n);
  int y = good(n);
  cilk_sync;
  return x + y;
}

// More than Clang's limit of errors.
int many(int n) {
  int total = 0;
  if (n > 1) goto end; if (n > 2) goto end; if (n > 3) goto end; if (n > 4) goto end; if (n > 5) goto end;
  if (n > 1) goto end; if (n > 2) goto end; if (n > 3) goto end; if (n > 4) goto end; if (n > 5) goto end;
  if (n > 1) goto end; if (n > 2) goto end; if (n > 3) goto end; if (n > 4) goto end; if (n > 5) goto end;
  if (n > 1) goto end; if (n > 2) goto end; if (n > 3) goto end; if (n > 4) goto end; if (n > 5) goto end;
  if (n > 1) goto end; if (n > 2) goto end; if (n > 3) goto end; if (n > 4) goto end; if (n > 5) goto end;
  total = cilk_spawn good(n); if (n > 6) goto end;
  cilk_sync;
end:
  asm volatile("" ::: "memory");
  return total;
}

int main(void) {
  int a[4] = {0};
  int x = cilk_spawn good(4);
  fill(a, 4);
  cilk_sync;
#ifndef NOTHING
  cilk_for(int i = 0; i < 4; ++i) a[i]++;
#endif
  printf("%d %d %d\n", x, a[3], calls_it(1) + many(1));
  return 0;
}

// CHECK: good: task good_task
// CHECK: jumps: stays on the host, depth-first: {{.*}}all_reasons.c:32:14: it keeps a static variable that is no constant
// CHECK-NEXT: several: stays on the host, depth-first: {{.*}}all_reasons.c:46:22: it calls 'by_way', which calls 'jumps', which stays on the host
// CHECK-NEXT: several: stays on the host, depth-first: {{.*}}all_reasons.c:47:11: it calls 'keeps', which stays on the host: {{.*}}files/keeps.h:1:12: {{('kept' is a static variable of a header|'keeps', which a task calls, .* it keeps a static variable)}}
// DEVICE-NEXT: several: stays on the host, depth-first: {{.*}}all_reasons.c:49:8: it calls 'asks', which stays on the host: {{.*}}all_reasons.c:43:33: 'getenv', which a task calls, has no code for the device
// CHECK-NEXT: calls_it: stays on the host, depth-first: {{.*}}all_reasons.c:58:22: it calls 'several', which stays on the host
// CHECK-NEXT: many: stays on the host, depth-first: {{.*}}all_reasons.c:75:3: inline assembly
// DEVICE-NEXT: many: stays on the host, depth-first: {{.*}}all_reasons.c:75:3: this assembly is the host's
// CHECK-NEXT: tasks: 3 of 7 functions, 2 of 2 loops
// CHECK-NOT: {{.}}

// WARNED: warning: jumps: stays on the host, depth-first: {{.*}}it keeps a static variable
// WARNED: warning: several: stays on the host, depth-first: {{.*}}'getenv', which a task calls

// NOTHING: error: jumps: stays on the host, depth-first: {{.*}}it keeps a static variable
// NOTHING: error: several: stays on the host, depth-first: {{.*}}'getenv', which a task calls
// NOTHING: nothing in this program can run on a device
// NOTHING: tasks: 0 of 5 functions, 0 of 0 loops
#endif
