// Which tasks do nothing after their sync but add up what their children return, so that nobody has to wait for anybody.
// RUN: %cilk2chan --emit=tasks %s | FileCheck %s
// RUN: %cilk2chan --serial %s -o %t.serial && %t.serial > %t.expected
// RUN: %cilk2chan -O0 --device=emulated %s -o %t.out
// RUN: env CHANNELS_DEVICE=emulated %t.out | diff %t.expected -
// RUN: %cilk2chan -O0 --device=emulated --stacks=lane-private %s -o %t.lane && env CHANNELS_DEVICE=emulated %t.lane | diff %t.expected -
// RUN: %cilk2chan -O0 --device=emulated --stacks=pooled %s -o %t.group && env CHANNELS_DEVICE=emulated %t.group | diff %t.expected -
// RUN: env CHANNELS_DEVICE=emulated CHANNELS_FORCE_YIELD=0.3 CHANNELS_SEED=3 %t.out | diff %t.expected -
// RUN: env CHANNELS_ORDER=channels CHANNELS_READINESS=counted %t.out | diff %t.expected -
#include <cilk/cilk.h>
#include <stdio.h>

long count;

// CHECK: {{^}}struct inner_nodes_task {
// CHECK: {{^}}  static constexpr bool sums_up = true;
// CHECK: {{^}}  template
long inner_nodes(int n, long each) {
  if (n < 2) return 0;
  long x, y = each;
  x = cilk_spawn inner_nodes(n - 1, each);
  if (n > 3) y = cilk_spawn inner_nodes(n - 2, each);
  cilk_sync;
  return 1 + x + (y - (n > 3 ? 0 : each));
}
// Nothing is returned, and nothing happens after the sync.
// CHECK: {{^}}struct halves_task {
// CHECK: {{^}}  static constexpr bool sums_up = true;
// CHECK: {{^}}  template
void halves(int* a, int n) {
  if (n < 2) {
    a[0]++;
    return;
  }
  cilk_spawn halves(a, n / 2);
  halves(a + n / 2, n - n / 2);
  cilk_sync;
}
// Its children may change what a pointer points to, and a global.
// CHECK: {{^}}struct reads_task {
// CHECK-NOT: {{^}}  static constexpr bool sums_up
// CHECK: {{^}}  template
long reads(int* a, int n) {
  if (n < 2) return ++*a;
  long x = cilk_spawn reads(a, n - 1);
  long y = reads(a, n - 2);
  cilk_sync;
  return x + y + *a;
}
// CHECK: {{^}}struct reads_global_task {
// CHECK-NOT: {{^}}  static constexpr bool sums_up
// CHECK: {{^}}  template
long reads_global(int n) {
  if (n < 2) return 1;
  long x = cilk_spawn reads_global(n - 1);
  long y = reads_global(n - 2);
  cilk_sync;
  return x + y + count;
}
// CHECK: {{^}}struct twice_task {
// CHECK-NOT: {{^}}  static constexpr bool sums_up
// CHECK: {{^}}  template
long twice(int n) {
  if (n < 2) return 1;
  long x = cilk_spawn twice(n - 1);
  long y = twice(n - 2);
  cilk_sync;
  return x + y + x;
}
// CHECK: {{^}}struct drops_task {
// CHECK-NOT: {{^}}  static constexpr bool sums_up
// CHECK: {{^}}  template
long drops(int n) {
  if (n < 2) return 1;
  long x = cilk_spawn drops(n - 1);
  cilk_spawn drops(n - 2);
  cilk_sync;
  return x;
}
// CHECK: {{^}}struct differs_task {
// CHECK-NOT: {{^}}  static constexpr bool sums_up
// CHECK: {{^}}  template
long differs(int n) {
  if (n < 2) return 1;
  long x = cilk_spawn differs(n - 1);
  long y = differs(n - 2);
  cilk_sync;
  return x - y;
}
// CHECK: {{^}}struct widens_task {
// CHECK-NOT: {{^}}  static constexpr bool sums_up
// CHECK: {{^}}  template
unsigned widens(int n) {
  if (n < 2) return 4000000000U;
  unsigned long x = cilk_spawn widens(n - 1);
  unsigned long y = widens(n - 2);
  cilk_sync;
  return (unsigned)((x + y) >> 1);
}
// CHECK: {{^}}struct rounds_task {
// CHECK-NOT: {{^}}  static constexpr bool sums_up
// CHECK: {{^}}  template
double rounds(int n) {
  if (n < 2) return 0.1;
  double x = cilk_spawn rounds(n - 1);
  double y = rounds(n - 2);
  cilk_sync;
  return x + y;
}
// What follows the first sync has children again.
// CHECK: {{^}}struct again_task {
// CHECK-NOT: {{^}}  static constexpr bool sums_up
// CHECK: {{^}}  template
long again(int n) {
  if (n < 2) return 1;
  long x = cilk_spawn again(n - 1);
  cilk_sync;
  long y = cilk_spawn again(n - 2);
  cilk_sync;
  return x + y;
}

static int marks[100];

int main(void) {
  long twelve = inner_nodes(12, 3), three = inner_nodes(3, 3);
  halves(marks, 100);
  int all = 0;
  for (int i = 0; i < 100; i++) all += marks[i] == 1;
  int place = 0;
  long read = reads(&place, 1);
  printf("%ld %ld %d %ld %ld %ld %ld %ld\n", twelve, three, all, read, reads_global(9), twice(8), drops(7), differs(9));
  printf("%u %.3f %ld\n", widens(8), rounds(9), again(8));
}
