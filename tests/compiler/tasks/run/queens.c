// Spawns in a loop, whose results go to an array in the frame; the loop is where the task yields.
// RUN: %tasks-run-and-compare %s 8
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_QUEENS 16

long queens(unsigned all, unsigned columns, unsigned left, unsigned right) {
  if (columns == all) return 1;
  long counts[MAX_QUEENS];
  int children = 0;
  unsigned free_places = all & ~(columns | left | right);
  while (free_places != 0) {
    unsigned place = free_places & -free_places;
    free_places ^= place;
    counts[children] = cilk_spawn queens(all, columns | place, (left | place) << 1, (right | place) >> 1);
    children++;
  }
  cilk_sync;
  long sum = 0;
  for (int i = 0; i < children; i++) sum += counts[i];
  return sum;
}

int main(int argc, char** argv) {
  (void)argc;
  int n = atoi(argv[1]);
  printf("%ld\n", queens((1u << n) - 1, 0, 0, 0));
  return 0;
}
