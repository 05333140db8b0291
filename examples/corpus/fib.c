/* The n-th Fibonacci number by its definition: a spawn beside a plain call. */
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

#include "timing.h"

int fib(int n) {
  int x, y;

  if (n < 2) return n;
  x = cilk_spawn fib(n - 1);
  y = fib(n - 2);
  cilk_sync;
  return x + y;
}

static int fib_by_addition(int n) {
  int a = 0, b = 1;
  while (n-- > 0) {
    int c = a + b;
    a = b;
    b = c;
  }
  return a;
}

int main(int argc, char* argv[]) {
  int n = 20, result;

  argc = timing_option(argc, argv);
  if (argc > 2) {
    fprintf(stderr, "Usage: fib [-t] [<n>]\n");
    exit(1);
  }
  if (argc == 2) n = atoi(argv[1]);

  timing_begin();
  result = fib(n);
  timing_end();
  printf("fib(%d) = %d\n", n, result);
  return result == fib_by_addition(n) ? 0 : 1;
}
