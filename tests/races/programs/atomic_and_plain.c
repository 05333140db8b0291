#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int count;
void add(void) { __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED); }
int main(void) {
  cilk_spawn add();
  int early = count;  // RACE: 6, here
  cilk_sync;
  printf("%d\n", early);
  return 0;
}
