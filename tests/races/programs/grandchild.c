#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int flag;
void inner(void) { flag = 1; }  // @first
void outer(void) {
  cilk_spawn inner();
  cilk_sync;
}
int main(void) {
  cilk_spawn outer();  // @spawn
  flag = 2;            // RACE: first, here, spawn
  cilk_sync;
  printf("%d\n", flag);
  return 0;
}
