#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int a[20];
int compare(const void* x, const void* y) { return *(const int*)x - *(const int*)y; }
void sort(int* from, int n) { qsort(from, (size_t)n, sizeof(int), compare); }  // @sort
int main(void) {
  for (int i = 0; i < 20; i++) a[i] = 20 - i;
  cilk_spawn sort(a, 20);  // @spawn
  a[19] = 3;               // RACE: sort, here, spawn
  cilk_sync;
  printf("%d\n", a[0] > 99);
  return 0;
}
