#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int work(int n) {
  int* a = malloc(100 * sizeof *a);
  for (int i = 0; i < 100; i++) a[i] = n;
  int last = a[99];
  free(a);
  return last;
}
int main(void) {
  int r[10];
  for (int i = 0; i < 10; i++) r[i] = cilk_spawn work(i);
  cilk_sync;
  printf("%d\n", r[9]);
  return 0;
}
