#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int work(int n) { return n * 2; }
int first_positive(int n) {
  int a = cilk_spawn work(n);       // @spawn
  if (n > 3) return a > 0 ? n : 0;  // RACE: spawn, here, spawn
  cilk_sync;
  return a;
}
int main(void) {
  printf("%d\n", first_positive(2) + first_positive(5));
  return 0;
}
