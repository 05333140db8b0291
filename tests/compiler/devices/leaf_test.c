// Whether a task spawns depends on memory that another changes between its spawn and its start: it is no more than a hint
// that a task which waits spawns something.
// RUN: %cilk2chan -O0 --device=emulated --emit=tasks %s | FileCheck %s
// CHECK: {{^}}struct by_memory_task {
// CHECK: {{^}}  static constexpr bool quick_leaves = true;
// CHECK-NEXT: {{^}}  static constexpr bool leaf_test_reads_memory = true;
// CHECK: {{^}}struct by_arguments_task {
// CHECK: {{^}}  static constexpr bool quick_leaves = true;
// CHECK-NOT: {{^}}  static constexpr bool leaf_test_reads_memory
// RUN: %cilk2chan -O0 --device=emulated %s -o %t.out && env CHANNELS_DEVICE=emulated %t.out | FileCheck --check-prefix=RESULT %s
// RESULT: some of 4096, 377
#include <cilk/cilk.h>
#include <stdio.h>

static int closed;

// Any number of leaves from 1 to 4096 is right: the flag ends the search early.
long by_memory(int depth, int* flag) {
  if (depth == 0) return 1;
  if (*flag) return 1;
  if (depth == 3) __atomic_store_n(flag, 1, __ATOMIC_RELAXED);
  long x = cilk_spawn by_memory(depth - 1, flag);
  long y = cilk_spawn by_memory(depth - 1, flag);
  cilk_sync;
  return x + y;
}

long by_arguments(int n) {
  if (n < 2) return 1;
  long x = cilk_spawn by_arguments(n - 1);
  long y = cilk_spawn by_arguments(n - 2);
  cilk_sync;
  return x + y;
}

int main(void) {
  for (int i = 0; i < 20; ++i) {
    closed = 0;
    const long leaves = by_memory(12, &closed);
    if (leaves < 1 || leaves > 4096) printf("%ld\n", leaves);
  }
  printf("some of 4096, %ld\n", by_arguments(13));
  return 0;
}
