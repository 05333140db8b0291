// Results of spawns that go to bit-fields, which have no address, and to register variables.
// RUN: %host-code-run-and-compare %s
// RUN: %device-run-and-compare %s
// RUN: %cilk2chan --device=emulated --explain --emit=tasks %s -o %t.out 2>&1 | FileCheck %s
// CHECK-NOT: stays on the host
// CHECK: tasks: 3 of 3 functions, 0 of 0 loops
#include <cilk/cilk.h>
#include <stdio.h>

struct packed { unsigned low : 5, high : 7; signed sign : 3; struct packed *next; };

static int bits(int n) {
  struct packed v[2] = {{0}};
  if (n < 2) return n;
  v[1].low = cilk_spawn bits(n - 1);
  v[0].high = bits(n - 2);
  cilk_sync;
  return v[1].low + v[0].high;
}

static int fill(struct packed *p, int n) {
  if (n == 0) return p != NULL;
  p->sign = cilk_spawn fill(p->next, n - 1);
  p->high = cilk_spawn bits(n % 9);
  cilk_sync;
  return p->high % 5 - p->sign;
}

static int in_registers(int n) {
  if (n < 2) return n;
  register int x, y;
  x = cilk_spawn in_registers(n - 1);
  y = in_registers(n - 2);
  cilk_sync;
  return x + y;
}

int main(void) {
  static struct packed all[30];
  for (int i = 0; i < 29; ++i) all[i].next = &all[i + 1];
  const int last = fill(all, 29);
  long sum = 0;
  for (int i = 0; i < 30; ++i) sum = sum * 3 + all[i].high - all[i].sign;
  printf("%d %d %ld %d\n", bits(12), last, sum, in_registers(12));
  return 0;
}
