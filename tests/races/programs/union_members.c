#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
union { int whole; char part[4]; } u;
void whole(void) { u.whole = 1; }
void part(void) { u.part[2] = 1; }  // RACE: 6, here
int main(void) {
  cilk_spawn whole();
  part();
  cilk_sync;
  printf("%d\n", u.part[2]);
  return 0;
}
