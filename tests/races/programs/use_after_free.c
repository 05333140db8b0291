#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int sum(const int* a) { return a[0] + a[1]; }  // @first
int main(void) {
  int* a = calloc(2, sizeof *a);
  int s = cilk_spawn sum(a);  // @spawn
  free(a);                    // RACE: first, here, spawn
  cilk_sync;
  printf("%d\n", s);
  return 0;
}
