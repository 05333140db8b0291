// A leaf whose function for a wavefront is missing, of another type, or written below it.
// RUN: %host-code-refuse --device=emulated %s | FileCheck %s
#include <channels/group.h>
#include <cilk/cilk.h>
#include <stdio.h>
CHANNELS_GROUP_LEAF(absent)
static int one(int n) { return n; }
static long two_by_group(int n) { return n + (long)channels_lane(); }
// CHECK-DAG: twice: stays on the host{{.*}}groups_refused.c:[[@LINE+2]]:{{[0-9]+}}: there is no function 'two_by_group' of this one's type before it
CHANNELS_GROUP_LEAF(two_by_group)
static int two(int n) { return 2 * n; }
CHANNELS_GROUP_LEAF(three_by_group)
static int three(int n) { return 3 * n; }
static int three_by_group(int n) { return 3 * n; }
// CHECK-DAG: once: stays on the host{{.*}}there is no function 'absent' of this one's type before it
int once(int n) {
  int a = cilk_spawn one(n);
  cilk_sync;
  return a;
}
int twice(int n) {
  int a = cilk_spawn two(n);
  cilk_sync;
  return a;
}
// CHECK-DAG: thrice: stays on the host{{.*}}there is no function 'three_by_group' of this one's type before it
int thrice(int n) {
  int a = cilk_spawn three(n);
  cilk_sync;
  return a;
}
int main(void) { printf("%d\n", once(1) + twice(1) + thrice(1) + three_by_group(1)); }
