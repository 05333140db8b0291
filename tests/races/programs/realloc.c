#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
void touch(int* a) { a[1] = 7; }  // @first
int main(void) {
  int* a = malloc(2 * sizeof *a);
  cilk_spawn touch(a);   // @spawn
  a = realloc(a, 4000);  // RACE: first, here, spawn
  cilk_sync;
  printf("%d\n", a[1]);
  free(a);
  return 0;
}
