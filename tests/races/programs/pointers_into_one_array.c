#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void copy(int* to, const int* from, int n) {
  for (int i = 0; i < n; i++) to[i] = from[i];  // RACE: here, here, spawn
}
int main(void) {
  int a[12] = {0};
  int *left = a, *right = a + 5;
  cilk_spawn copy(left, right, 6);  // @spawn
  copy(right, left, 6);
  cilk_sync;
  printf("%d\n", a[0]);
  return 0;
}
