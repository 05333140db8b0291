/* Fibonacci numbers by definition, with tasks down to a depth.
 *
 * omp_fib [-t] [n] [depth] */
#include "../timing.h"

#include <stdio.h>
#include <stdlib.h>

static long serial_fib(int n) { return n < 2 ? n : serial_fib(n - 1) + serial_fib(n - 2); }

static long fib(int n, int depth, int cutoff) {
  long x, y;
  if (n < 2) return n;
  if (depth >= cutoff) return serial_fib(n);
#pragma omp task untied shared(x) firstprivate(n, depth) final(depth + 1 >= cutoff) mergeable
  x = fib(n - 1, depth + 1, cutoff);
#pragma omp task untied shared(y) firstprivate(n, depth) final(depth + 1 >= cutoff) mergeable
  y = fib(n - 2, depth + 1, cutoff);
#pragma omp taskwait
  return x + y;
}

int main(int argc, char** argv) {
  argc = timing_option(argc, argv);
  int n = argc > 1 ? atoi(argv[1]) : 20;
  int cutoff = argc > 2 ? atoi(argv[2]) : n;
  long result = 0;
  timing_begin();
#pragma omp parallel
#pragma omp single
  result = fib(n, 0, cutoff);
  timing_end();
  printf("omp_fib %d: %ld, %s\n", n, result, result == serial_fib(n) ? "right" : "wrong");
  return 0;
}
