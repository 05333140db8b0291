#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
union {
  int whole;
  char part[4];
} u;
void whole(void) { u.whole = 1; }   // @first
void part(void) { u.part[2] = 1; }  // RACE: first, here, spawn
int main(void) {
  cilk_spawn whole();  // @spawn
  part();
  cilk_sync;
  printf("%d\n", u.part[2]);
  return 0;
}
