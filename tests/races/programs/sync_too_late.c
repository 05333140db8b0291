#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int total;
void add(int by) { total += by; }  // @first
int main(void) {
  cilk_spawn add(1);      // @spawn
  printf("%d\n", total);  // RACE: first, here, spawn
  cilk_sync;
  return 0;
}
