#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void add(int* counters, int which) { counters[which] += which; }  // @add
int main(void) {
  int* counters = calloc(4, sizeof(int));
  cilk_spawn add(counters, 1);  // @spawn
  cilk_spawn add(counters, 1);  // RACE: add, add, spawn
  cilk_sync;
  printf("%d\n", counters[1] > 9);
  free(counters);
  return 0;
}
