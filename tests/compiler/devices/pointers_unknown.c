// A task on a device calls through a pointer what has its address taken in the file and can run there: --explain names
// these functions, and what keeps the others. What spawns is called as a task. A call of one that is neither, such as one
// of another file, ends the run, with the place of the call. Without any such function the caller stays on the host.
// RUN: %cilk2chan -O0 --device=emulated -w %s -o %t.out
// RUN: %cilk2chan --device=emulated --explain --emit=tasks %s 2>&1 >/dev/null | FileCheck --check-prefix=EXPLAIN %s
// RUN: %cilk2chan -O0 --device=emulated -c %s -o %t.o 2>&1 | FileCheck --check-prefix=WARN %s
// RUN: env CHANNELS_DEVICE=emulated %t.out 0 | FileCheck %s
// RUN: env CHANNELS_DEVICE=emulated not %t.out 1 2>&1 | FileCheck --check-prefix=UNKNOWN %s
// RUN: env CHANNELS_DEVICE=emulated %t.out 2 | FileCheck --check-prefix=HOST %s
// RUN: env CHANNELS_DEVICE=emulated %t.out 3 | FileCheck --check-prefix=BEYOND %s
// RUN: env CHANNELS_DEVICE=emulated CHANNELS_ORDER=channels not %t.out 1 2>&1 | FileCheck --check-prefix=UNKNOWN %s
// RUN: env CHANNELS_ORDER=channels %t.out 1 | FileCheck --check-prefix=HOST %s
// RUN: %t.out 1 | FileCheck --check-prefix=HOST %s
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

static int twice(int n) { return 2 * n; }
static int asking(int n) { return getenv("NOWHERE") != NULL ? 0 : n; }
static int spawning(int n) {
  if (n < 2) return n;
  int x = cilk_spawn spawning(n - 1);
  int y = spawning(n - 2);
  cilk_sync;
  return x + y;
}
static int beyond(int n) { return spawning(n) + 1; }

static int apply(int (*function)(int), int n) {
  return function(n);
}
int sum(int (*function)(int), int n) {
  if (n < 2) return apply(function, n);
  int x = cilk_spawn sum(function, n - 1);
  int y = sum(function, n - 2);
  cilk_sync;
  return x + y;
}

// EXPLAIN-DAG: twice: tasks on a device may call it through a pointer
// EXPLAIN-DAG: asking: tasks on a device cannot call it through a pointer: {{.*}}pointers_unknown.c:19:{{[0-9]+}}: 'getenv', which a task calls, has no code for the device
// EXPLAIN-DAG: spawning: tasks on a device call it as a task
// EXPLAIN-DAG: beyond: tasks on a device call it as a task
// EXPLAIN-DAG: a64l: tasks on a device cannot call it through a pointer: {{.*}}it has no code for the device
static int (*const functions[])(int) = {twice, asking, spawning, beyond};
static long (*const text)(const char*) = a64l;
// WARN: warning: texts: stays on the host{{.*}}: a task calls a function that is only known when the program runs, and of those that this file takes the address of, none has code for the device
static long texts(long (*read)(const char*), const char* one, int n) {
  if (n < 2) return read(one);
  long x = cilk_spawn texts(read, one, n - 1);
  long y = texts(read, one, n - 2);
  cilk_sync;
  return x + y;
}

// CHECK: 16 13
// HOST: 8
// BEYOND: 21
// UNKNOWN: channels: device: task sum ({{.*}}pointers_unknown.c:30): it calls a function that the device does not have
int main(int argc, char** argv) {
  int which = argc > 1 ? atoi(argv[1]) : 0;
  printf("%d", sum(functions[which], 6));
  if (which == 0) printf(" %ld", texts(text, "/", 6));
  printf("\n");
  return 0;
}
