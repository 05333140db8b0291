#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  int count = 0;
  cilk_for(int i = 0; i < 20; i++)  // @spawn
      count++;                      // RACE: here, here, spawn
  printf("%d\n", count);
  return 0;
}
