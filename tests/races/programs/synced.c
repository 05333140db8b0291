#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int x;
void set(int to) { x = to; }
int main(void) {
  cilk_spawn set(1);
  cilk_sync;
  cilk_spawn set(2);
  cilk_sync;
  printf("%d\n", x);
  return 0;
}
