// The program in which calls fail: small, and of all that host code and tasks do.

#include <cilk/cilk.h>

#include <stdio.h>
#include <stdlib.h>

long fib(int n) {
  if (n < 2) return n;
  long x = cilk_spawn fib(n - 1);
  long y = cilk_spawn fib(n - 2);
  cilk_sync;
  return x + y;
}

void add(long* to, int from, int count) {
  if (count == 1) {
    to[from] += from;
    return;
  }
  cilk_spawn add(to, from, count / 2);
  cilk_spawn add(to, from + count / 2, count - count / 2);
  cilk_sync;
}

int main(void) {
  long* values = calloc(100, sizeof *values);
  if (values == NULL) return 2;
  add(values, 0, 100);
  long sum = 0;
  cilk_for(int i = 0; i < 100; ++i) values[i] *= 2;
  for (int i = 0; i < 100; ++i) sum += values[i];
  free(values);
  if (printf("%ld %ld\n", fib(12), sum) < 0 || fflush(stdout) != 0) return 2;
  return 0;
}
