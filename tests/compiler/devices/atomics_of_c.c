// Atomic variables of C11, which C++ has as classes without code for devices.
// RUN: %device-run-and-compare %s
// RUN: %cilk2chan --device=emulated --explain --emit=tasks %s -o %t.out 2>&1 | FileCheck %s
// CHECK: tasks: 2 of 2 functions, 1 of 1 loops
#include <cilk/cilk.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

struct counts {
  atomic_int nodes;
  _Atomic unsigned long sum;
  _Atomic(long) most;
  _Atomic short odd;
  atomic_flag seen;
};

static atomic_long total;
static _Atomic int leaves = 0, depths;
static atomic_uint mask;

static void raise_to(_Atomic(long)* most, long value) {
  long now = atomic_load(most);
  while (now < value && !atomic_compare_exchange_weak(most, &now, value)) {
  }
}

static void walk(struct counts* counts, unsigned state, int depth) {
  total++;
  counts->nodes += 1;
  atomic_fetch_add(&counts->sum, state % 1000);
  raise_to(&counts->most, state % 100003);
  if (state & 1) ++counts->odd;
  if (!atomic_flag_test_and_set(&counts->seen)) counts->sum += 5;
  atomic_fetch_or_explicit(&mask, 1u << state % 31, memory_order_relaxed);
  if (depth == 0) {
    leaves++;
    atomic_fetch_sub_explicit(&depths, 2, memory_order_acq_rel);
    return;
  }
  for (unsigned i = 0; i < 3; i++)
    cilk_spawn walk(counts, state * 1664525u + 1013904223u + i * 77777u, depth - 1);
  cilk_sync;
}

static long histogram(const int* values, int n) {
  atomic_int* classes = calloc(16, sizeof *classes);
  long hash = 0;
  cilk_for (int i = 0; i < n; i++) classes[values[i] % 16]++;
  for (int i = 0; i < 16; i++) hash = hash * 1001 % 1000003 + classes[i];
  free(classes);
  return hash;
}

int main(void) {
  struct counts* counts = calloc(1, sizeof *counts);
  int* values = malloc(3000 * sizeof *values);
  for (int i = 0; i < 3000; i++) values[i] = i * 37 % 101;
  walk(counts, 12345, 5);
  printf("%ld %d %lu %ld %d\n", (long)total, (int)counts->nodes, (unsigned long)counts->sum,
         (long)counts->most, (int)counts->odd);
  printf("%d %d %u %ld\n", atomic_load(&leaves), (int)depths, (unsigned)mask,
         histogram(values, 3000));
  free(values);
  free(counts);
  return 0;
}
