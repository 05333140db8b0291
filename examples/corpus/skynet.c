/* Skynet: a tree of tasks, each of which has ten children, and a million leaves, which return their
 * numbers to be added up. There is nothing to do but to spawn. */
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

#include "timing.h"

#define CHILDREN 10

long skynet(long first, long leaves) {
  long numbers[CHILDREN], sum = 0;
  int i;

  if (leaves == 1) return first;
  for (i = 0; i < CHILDREN; i++)
    numbers[i] = cilk_spawn skynet(first + i * (leaves / CHILDREN), leaves / CHILDREN);
  cilk_sync;
  for (i = 0; i < CHILDREN; i++) sum += numbers[i];
  return sum;
}

int main(int argc, char** argv) {
  long leaves = 1, wanted, sum;

  argc = timing_option(argc, argv);
  wanted = argc > 1 ? atol(argv[1]) : 10000;
  while (leaves < wanted) leaves *= CHILDREN;
  timing_begin();
  sum = skynet(0, leaves);
  timing_end();
  printf("skynet of %ld leaves: %ld, %s\n", leaves, sum,
         sum == leaves * (leaves - 1) / 2 ? "right" : "WRONG");
  return sum == leaves * (leaves - 1) / 2 ? 0 : 1;
}
