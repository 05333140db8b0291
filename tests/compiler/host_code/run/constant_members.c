// A structure with constant members is initialised and never assigned, so a spawn that sets one is a call in host code.
// A task sets it in its frame.
// RUN: %host-code-run-and-compare %s
// RUN: %device-run-and-compare %s
// RUN: %cilk2chan --explain --device=emulated --emit=tasks %s -o %t.explained 2>&1 | FileCheck --check-prefix=TASKS %s
// TASKS: tasks: 1 of 1 functions
// RUN: %cilk2chan --emit=source -o %t.c %s 2>&1 | FileCheck %s
// CHECK: the type of its result has constant members
#include <cilk/cilk.h>
#include <stdio.h>

struct inner {
  const int low;
  const int* const where;
  const volatile char names[2][3];
};
struct pair {
  int high;
  volatile unsigned : 0;
  struct inner of;
};

struct shared {
  const int here, *there;
};

static struct pair split(int n) {
  static const int zero = 0;
  const struct shared both = {n, &n};
  const struct pair made = {both.here / 10, {*both.there % 10, &zero, {"a", "b"}}};
  return made;
}

static int digits(int n) {
  struct pair one = cilk_spawn split(n);
  struct pair two = cilk_spawn split(n + 7);
  cilk_sync;
  return one.high * two.of.low + one.of.low + *two.of.where + one.of.names[1][0];
}

int main(void) {
  for (int n = 0; n < 40; n += 3) printf("%d ", digits(n));
  printf("\n");
  return 0;
}
