#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int sums[4];
void note(int* i) { sums[*i] += 1; }  // @read
int main(void) {
  for (int i = 0; i < 4; i++)  // RACE: read, here, spawn
    cilk_spawn note(&i);       // @spawn
  cilk_sync;
  printf("%d\n", sums[0] > 9);
  return 0;
}
