#include <cilk/cilk.h>

static long fib(int n) {
  if (n < 2) return n;
  const long x = cilk_spawn fib(n - 1);
  const long y = fib(n - 2);
  cilk_sync;
  return x + y;
}

int main() { return fib(15) == 610 ? 0 : 1; }
