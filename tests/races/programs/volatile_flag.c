#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

volatile int ready;
void produce(void) { ready = 1; }  // @write
int main(void) {
  cilk_spawn produce();  // @spawn
  int seen = ready;      // RACE: write, here, spawn
  cilk_sync;
  printf("%d\n", seen > 9);
  return 0;
}
