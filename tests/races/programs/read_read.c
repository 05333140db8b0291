#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int shared = 5;
int twice(void) { return shared * 2; }
int main(void) {
  int a = cilk_spawn twice();
  int b = twice() + shared;
  cilk_sync;
  shared = 6;
  printf("%d\n", a + b + shared);
  return 0;
}
