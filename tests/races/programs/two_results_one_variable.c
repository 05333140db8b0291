#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int twice(int n) { return 2 * n; }
int main(void) {
  int x = 0;
  x = cilk_spawn twice(1);  // @first
  x = cilk_spawn twice(2);  // RACE: first, here, first
  cilk_sync;
  printf("%d\n", x > 9);
  return 0;
}
