// RUN: %device-run-and-compare %s
// RUN: %host-code-run-and-compare %s
// RUN: %cilk2chan --explain --emit=tasks -w --device=emulated %s -o %t.out 2>&1 | FileCheck %s
// CHECK-NOT: {{(alloca|literal|in_block)_cilk_.*_region}}
// CHECK: used_inside: task used_inside_cilk_{{.*}}_region
// CHECK: tasks: 4 of 7 functions

// What a part of a function that becomes a task of its own takes of the function's memory, or of
// its block's, must last as long: memory from alloca, compound literals, arrays that others point
// to. Variables stand in the host's function for that; of memory that cannot, the part stays with
// the host if what follows may use it.
#include <alloca.h>
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

static long sum_of(int n) {
  if (n < 2) return n;
  long a = cilk_spawn sum_of(n - 1);
  long b = sum_of(n - 2);
  cilk_sync;
  return a + b;
}
static long overwrite(int n) {
  volatile long room[64];
  for (int i = 0; i < 64; i++) room[i] = n;
  return room[n % 64];
}
// getenv keeps the functions on the host, but for what stands from a spawn to its sync.
static long with_alloca(int n) {
  long hash = getenv("PATH") == NULL;
  if (n > 3) {
    long a = cilk_spawn sum_of(n);
    int* mine = (int*)alloca(3 * sizeof(int));
    mine[0] = 5; mine[1] = n; mine[2] = 7;
    cilk_sync;
    hash += overwrite(n);
    hash += a + mine[0] * 100 + mine[1] * 10 + mine[2];
  }
  return hash;
}
static long with_literal(int n) {
  long hash = getenv("PATH") == NULL;
  if (n > 3) {
    long a = cilk_spawn sum_of(n);
    int* mine = (int[]){5, n, 7};
    cilk_sync;
    hash += overwrite(n);
    hash += a + mine[0] * 100 + mine[1] * 10 + mine[2];
  }
  return hash;
}
static long in_block(int n) {
  long hash = getenv("PATH") == NULL;
  int* last = NULL;
  long a = cilk_spawn sum_of(n);
  {
    int* mine = (int*)alloca(3 * sizeof(int));
    mine[0] = 5; mine[1] = n; mine[2] = 7;
    last = mine;
  }
  cilk_sync;
  hash += overwrite(n);
  return hash + a + last[0] * 100 + last[1] * 10 + last[2];
}
static long through_pointer(int n) {
  long hash = getenv("PATH") == NULL;
  struct { int count; const int* values; } kept = {0, NULL};
  long a = cilk_spawn sum_of(n);
  int mine[3] = {5, n, 7};
  kept.values = mine;
  cilk_sync;
  hash += overwrite(n);
  return hash + a + kept.values[0] * 100 + kept.values[1] * 10 + kept.values[2];
}
// Functions keep pointers, too.
static const int* kept_values;
static void keep(const int* values) { kept_values = values; }
static long through_function(int n) {
  long hash = getenv("PATH") == NULL;
  long a = cilk_spawn sum_of(n);
  int mine[3] = {5, n, 7};
  int one = n + 1;
  const int* of_one = NULL;
  keep(mine);
  of_one = &one;
  cilk_sync;
  hash += overwrite(n);
  return hash + a + kept_values[0] * 100 + kept_values[1] * 10 + kept_values[2] + *of_one;
}
// This one's memory is used in the part alone.
static long used_inside(int n) {
  long hash = getenv("PATH") == NULL;
  long counts[8] = {0};
  for (int i = 0; i < 8; i++) {
    int* mine = (int*)alloca(sizeof(int));
    *mine = i + n;
    counts[i] = cilk_spawn sum_of(*mine);
  }
  cilk_sync;
  for (int i = 0; i < 8; i++) hash = hash * 31 + counts[i];
  return hash;
}

int main(void) {
  for (int i = 0; i < 3; i++)
    printf("%ld %ld %ld %ld %ld %ld\n", with_alloca(12), with_literal(13), in_block(14),
           through_pointer(12), through_function(13), used_inside(5));
  return 0;
}
