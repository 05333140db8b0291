#include <cilk/cilk.h>

#include "more.h"

static long fib(int n) {
  if (n < 2) return n * one();
  long x = cilk_spawn fib(n - 1);
  long y = fib(n - 2);
  cilk_sync;
  return x + y;
}
