#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int a[100];
void fill(int from, int to) {
  for (int i = from; i < to; i++) a[i] = from;  // RACE: here, here, spawn
}
int main(void) {
  cilk_spawn fill(0, 51);  // @spawn
  fill(50, 100);
  cilk_sync;
  printf("%d\n", a[50]);
  return 0;
}
