#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int next(void) {
  static int n;
  return ++n;  // RACE: here, here, spawn
}
int main(void) {
  int a = cilk_spawn next();  // @spawn
  int b = next();
  cilk_sync;
  printf("%d\n", a + b);
  return 0;
}
