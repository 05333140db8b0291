#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int count;
void add(void) { __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED); }
int main(void) {
  for (int i = 0; i < 9; i++) cilk_spawn add();
  cilk_sync;
  printf("%d\n", count);
  return 0;
}
