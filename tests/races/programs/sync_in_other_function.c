#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int x;
void set(int to) { x = to; }  // @set
void only_syncs(void) { cilk_sync; }
int main(void) {
  cilk_spawn set(1);  // @spawn
  only_syncs();
  x += 1;  // RACE: set, here, spawn
  cilk_sync;
  printf("%d\n", x > 9);
  return 0;
}
