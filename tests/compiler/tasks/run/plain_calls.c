// A plain call of a function that spawns waits for itself, also where a sync that has nothing to do follows.
// RUN: %tasks-run-and-compare %s 9
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

long count(int n) {
  long sum = 1;
  if (n <= 0) return 1;
  for (int i = 0; i < 2; ++i) {
    long part = count(n - 2 - i);
    cilk_sync;
    sum += part;
  }
  sum = count(n - 3);
  if (sum % 2) return count(n - 4);
  count(n - 5);
  long last = cilk_spawn count(n - 1);
  cilk_sync;
  cilk_sync;
  return sum + last;
}

int main(int argc, char** argv) {
  (void)argc;
  for (int i = 0; i < atoi(argv[1]); ++i) printf("%ld\n", count(i));
  return 0;
}
