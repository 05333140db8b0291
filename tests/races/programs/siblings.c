#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int last;
void set(int to) { last = to; }  // RACE: here, here, spawn
int main(void) {
  cilk_spawn set(1);  // @spawn
  cilk_spawn set(2);
  cilk_sync;
  printf("%d\n", last);
  return 0;
}
