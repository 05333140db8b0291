#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void scale(const double* by, double* what) { *what *= *by; }  // @read
int main(void) {
  double factor = 2, x = 1, y = 1;
  cilk_spawn scale(&factor, &x);  // @spawn
  factor = 3;                     // RACE: read, here, spawn
  scale(&factor, &y);
  cilk_sync;
  printf("%d\n", x + y > 99);
  return 0;
}
