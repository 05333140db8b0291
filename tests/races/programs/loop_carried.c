#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int a[64];
int main(void) {
  cilk_for(int i = 1; i < 64; i++)  // @spawn
      a[i] = a[i - 1] + 1;          // RACE: here, here, spawn
  printf("%d\n", a[63]);
  return 0;
}
