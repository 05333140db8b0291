#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int count;
void add(void) { __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED); }  // @first
int main(void) {
  cilk_spawn add();   // @spawn
  int early = count;  // RACE: first, here, spawn
  cilk_sync;
  printf("%d\n", early);
  return 0;
}
