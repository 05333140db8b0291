/* Sums by reducers: a global, which loops and spawned functions add to, and a local; the serial sum
 * checks both. */
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

#include "timing.h"

void zero(void* view) { *(long*)view = 0; }
void plus(void* left, void* right) { *(long*)left += *(long*)right; }
void least_identity(void* view) { *(int*)view = 0x7fffffff; }
void least_reduce(void* left, void* right) {
  if (*(int*)right < *(int*)left) *(int*)left = *(int*)right;
}

long cilk_reducer(zero, plus) total = 0;

static int* values;

static void add_range(int begin, int end) {
  if (end - begin > 1000) {
    int middle = begin + (end - begin) / 2;
    cilk_spawn add_range(begin, middle);
    add_range(middle, end);
    return; /* the sync is implied */
  }
  for (int i = begin; i < end; i++) total += values[i];
}

static long sum_by_loop(int n) {
  long cilk_reducer(zero, plus) sum = 0;
#pragma cilk grainsize 256
  cilk_for (int i = 0; i < n; i++) {
    sum += values[i];
  }
  return sum;
}

int main(int argc, char** argv) {
  int n = 100000, i, smallest = 0x7fffffff;
  long expected = 0, by_loop;
  int cilk_reducer(least_identity, least_reduce) least = 0x7fffffff;

  argc = timing_option(argc, argv);
  if (argc > 1) n = atoi(argv[1]);
  values = malloc(n * sizeof(int));
  for (i = 0; i < n; i++) values[i] = (int)(i * 2654435761u % 100003) - 5;

  timing_begin();
  cilk_spawn add_range(0, n);
  by_loop = sum_by_loop(n);
  cilk_for (int k = n - 1; k >= 0; k--) {
    if (values[k] < least) least = values[k];
  }
  cilk_sync;
  timing_end();

  for (i = 0; i < n; i++) {
    expected += values[i];
    if (values[i] < smallest) smallest = values[i];
  }
  printf("sum of %d: %ld by spawns, %ld by a loop, least %d\n", n, total, by_loop, least);
  free(values);
  return total == expected && by_loop == expected && least == smallest ? 0 : 1;
}
