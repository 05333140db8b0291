#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int a[100];
void fill(int from, int to, int what) {
  for (int i = from; i <= to; i++) a[i] = what;  // @fill
}
int main(void) {
  cilk_spawn fill(0, 50, 1);  // @spawn
  fill(50, 99, 2);            // RACE: fill, fill, spawn
  cilk_sync;
  printf("%d\n", a[50] > 0);
  return 0;
}
