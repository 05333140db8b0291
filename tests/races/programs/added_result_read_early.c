#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int one(int n) { return n; }
int main(void) {
  int s = 0;
  s += cilk_spawn one(3);  // @first
  int early = s;           // RACE: first, here, first
  cilk_sync;
  printf("%d\n", s + early);
  return 0;
}
