// A structure with constant members is initialised and never assigned, so a spawn that sets one is a call.
// RUN: %host-code-run-and-compare %s
// RUN: %cilk2chan --emit=source -o %t.c %s 2>&1 | FileCheck %s
// CHECK: the type of its result has constant members
#include <cilk/cilk.h>
#include <stdio.h>

struct inner {
  const int low;
};
struct pair {
  int high;
  struct inner of;
};

static struct pair split(int n) {
  const struct pair made = {n / 10, {n % 10}};
  return made;
}

static int digits(int n) {
  struct pair one = cilk_spawn split(n);
  struct pair two = cilk_spawn split(n + 7);
  cilk_sync;
  return one.high * two.of.low + one.of.low;
}

int main(void) {
  for (int n = 0; n < 40; n += 3) printf("%d ", digits(n));
  printf("\n");
  return 0;
}
