// Both ways through a branch spawn, and each continues on its own.
// RUN: %tasks-run-and-compare %s 16
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

long grow(int n) {
  long x = 7, y;
  if (n < 1) return n + 1;
  if (n % 2) {
    int half = n / 2;
    x = cilk_spawn grow(n - 1);
    cilk_sync;
    int more = half * 2;
    y = cilk_spawn grow(half);
    cilk_sync;
    return x + y + more;
  } else {
    int third = n / 3;
    y = cilk_spawn grow(third);
    x = grow(n - 3);
    int less = third - n;
    return x * 3 - y + less;
  }
}

int main(int argc, char** argv) {
  (void)argc;
  for (int i = 0; i < atoi(argv[1]); ++i) printf("%ld\n", grow(i));
  return 0;
}
