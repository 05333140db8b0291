// exit and its like in a task end the program as its serial elision does: with the status, what was
// printed before, and handlers of atexit, which the host runs.
// RUN: %cilk2chan -O0 --device=emulated %s -o %t.out 2>&1 | count 0
// RUN: %cilk2chan --serial %s -o %t.serial
// RUN: %ends-alike %t.serial %t.out
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int way, seen;

static void end(int status) {
  seen = status;
  switch (way) {
    case 0: break;
    case 1: exit(status);
    case 2: _Exit(status);
    case 3: quick_exit(status);
    case 4: _exit(status);
  }
}

// The serial elision comes to one leaf that ends the program, and so does each schedule.
static long look(long low, long high) {
  if (high - low == 1) {
    if (low == 77) end(3);
    return low;
  }
  long a = cilk_spawn look(low, (low + high) / 2);
  long b = look((low + high) / 2, high);
  cilk_sync;
  return a + b;
}

static void last(void) {
  printf("last %d\n", seen);
  fflush(stdout);
}
static void quick(void) {
  printf("quick\n");
  fflush(stdout);
}
__attribute__((destructor)) static void destroyed(void) {
  printf("destroyed\n");
  fflush(stdout);
}

int main(int argc, char** argv) {
  way = argc > 1 ? atoi(argv[1]) : 0;
  printf("first %ld\n", look(0, 50));
  fflush(stdout);
  atexit(last);
  at_quick_exit(quick);
  printf("%ld\n", look(0, 100));
  return 0;
}
