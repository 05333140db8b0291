#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int a[8], b[8];
void increase(int* of, int n) {
  for (int i = 0; i < n; i++) of[i]++;  // @increase
}
int main(void) {
  cilk_spawn increase(a, 4);  // @spawn
  increase(a + 4, 4);
  for (int i = 0; i < 8; i++) b[i] = a[i];  // RACE: increase, here, spawn
  cilk_sync;
  printf("%d\n", b[0] + a[7] > 99);
  return 0;
}
