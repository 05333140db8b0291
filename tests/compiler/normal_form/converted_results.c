// Results of children that are numbers of another type than what they are assigned to: variables,
// elements, members, globals, places with side effects.
// RUN: %host-code-run-and-compare %s
// RUN: env CHANNELS_ORDER=channels CHANNELS_STATS=1 %t.lowered 2>&1 | FileCheck %s
// CHECK-NOT: stays on the host
// CHECK: tasks{{ +}}{{[1-9][0-9]+}}
#include <cilk/cilk.h>
#include <stdio.h>
static int f(int n) {
  if (n < 2) return n;
  long x = cilk_spawn f(n - 1);
  long y;
  y = cilk_spawn f(n - 2);
  cilk_sync;
  return (int)(x + y);
}
static double g(int n) {
  double a[2];
  a[0] = cilk_spawn f(n);
  a[1] = f(n + 1);
  cilk_sync;
  return a[0] * 10 + a[1];
}
static double third(int n) { return n / 3.0; }
struct point { short x, y; } p;
static unsigned char small;
static long many(int n) {
  int all[16];
  long sum = 0;
  for (int i = 0; i < n; i++) all[i] = cilk_spawn third(i * 10);
  p.x = cilk_spawn third(-100);
  p.y = cilk_spawn third(70000);
  small = cilk_spawn f(13);
  cilk_sync;
  for (int i = 0; i < n; i++) sum = sum * 3 + all[i];
  return sum;
}
static long twice(int n) {
  long x = cilk_spawn f(n);
  cilk_sync;
  x += 2;
  int i = 0;
  int at[3];
  at[i++] = cilk_spawn third(n);
  at[i++] = cilk_spawn third(n + 9);
  cilk_sync;
  return x * 100 + at[0] * 10 + at[1] + i;
}
int main(void) {
  printf("%d %g\n", f(20), g(10));
  printf("%ld %d %d %d\n", many(16), p.x, p.y, small);
  printf("%ld\n", twice(12));
  return 0;
}
