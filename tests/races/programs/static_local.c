#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int next(void) {
  static int n;
  return ++n;  // RACE: here, here
}
int main(void) {
  int a = cilk_spawn next();
  int b = next();
  cilk_sync;
  printf("%d\n", a + b);
  return 0;
}
