// For several_gpus.c: variables that tasks change, in a file of their own.
#include <cilk/cilk.h>

static long sums[64];
long changed;

long changes(int n) {
  if (n == 0) return 1;
  if (n == 10) {
    sums[n % 64] += n;
    changed += 3;
  }
  long x = cilk_spawn changes(n - 1);
  long y = cilk_spawn changes(n - 1);
  cilk_sync;
  return x + y;
}
