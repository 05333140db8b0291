#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
void fill(int* a, int n) {
  for (int i = 0; i < 50; i++) a[i] = n;
}
int work(int n) {
  int a[50];
  fill(a, n);
  return a[49];
}
int main(void) {
  int x = cilk_spawn work(1);
  int y = cilk_spawn work(2);
  int z = work(3);
  cilk_sync;
  printf("%d\n", x + y + z);
  return 0;
}
