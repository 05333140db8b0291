// A spawn before `main`, and before the library itself is made.
// RUN: %host-code-run-and-compare %s
#include <cilk/cilk.h>

#include <cstdio>

int fib(int n) {
  if (n < 2) return n;
  int x = cilk_spawn fib(n - 1);
  int y = fib(n - 2);
  cilk_sync;
  return x + y;
}

static const int first = fib(12);

int main() { std::printf("%d %d\n", first, fib(10)); }
