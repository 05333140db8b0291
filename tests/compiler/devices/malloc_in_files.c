// Tasks of several files allocate, and only those of the last file run on the device.
// RUN: %cilk2chan -O0 --device=emulated %s %S/files/malloc_elsewhere.c -o %t.out
// RUN: env CHANNELS_DEVICE=emulated %t.out | FileCheck %s
// RUN: env CHANNELS_DEVICE=emulated CHANNELS_ORDER=channels %t.out | FileCheck %s
// CHECK: sum 4950
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

long sum_elsewhere(int from, int to);

long sum_here(int from, int to) {
  if (to - from == 1) {
    int* const one = (int*)malloc(sizeof(int));
    *one = from;
    const long value = *one;
    free(one);
    return value;
  }
  const int middle = from + (to - from) / 2;
  const long low = cilk_spawn sum_here(from, middle);
  const long high = sum_here(middle, to);
  cilk_sync;
  return low + high;
}

int main(int argc, char** argv) {
  (void)argv;
  printf("sum %ld\n", argc > 1 ? sum_here(0, 100) : sum_elsewhere(0, 100));
  return 0;
}
