#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int total;
void add(int by) { total += by; }
int main(void) {
  cilk_spawn add(1);
  printf("%d\n", total);  // RACE: 6, here
  cilk_sync;
  return 0;
}
