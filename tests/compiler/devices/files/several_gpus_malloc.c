// For several_gpus.c: tasks that allocate memory, in a file of their own.
#include <cilk/cilk.h>
#include <stdlib.h>

long allocates(int n) {
  if (n == 0) {
    long* one = malloc(sizeof *one);
    *one = 2;
    long value = *one;
    free(one);
    return value;
  }
  long x = cilk_spawn allocates(n - 1);
  long y = cilk_spawn allocates(n - 1);
  cilk_sync;
  return x + y;
}
