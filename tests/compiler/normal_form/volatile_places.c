// Results of children into what is volatile: globals, elements, members, through pointers, locals.
// RUN: %host-code-run-and-compare %s
// RUN: env CHANNELS_ORDER=channels CHANNELS_STATS=1 %t.lowered 2>&1 | FileCheck %s
// CHECK-NOT: stays on the host
// CHECK: tasks{{ +}}{{[1-9][0-9]+}}
#include <cilk/cilk.h>
#include <stdio.h>
volatile int global;
static volatile long table[4];
struct pair {
  volatile short v;
  int w;
} one;
static int f(int n) {
  if (n < 2) return n;
  volatile int a = cilk_spawn f(n - 1);
  volatile int b;
  b = cilk_spawn f(n - 2);
  cilk_sync;
  return a + b;
}
static long g(int n) { return n * 3L; }
static short h(int n) { return (short)n; }
static int all(volatile long* p) {
  global = cilk_spawn f(10);
  table[1] = cilk_spawn g(5);
  *p = cilk_spawn g(6);
  one.v = cilk_spawn h(7);
  one.w = cilk_spawn h(8);
  cilk_sync;
  global = f(11);
  volatile double d;
  d = f(4);
  global += f(3);
  return global + one.v + one.w + (int)d;
}
int main(void) {
  const int sum = all(&table[2]);
  printf("%d %d %ld %ld %d\n", sum, global, table[1], table[2], one.v);
  return 0;
}
