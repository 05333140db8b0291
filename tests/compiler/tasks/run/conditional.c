// Spawns in branches, some of them taken, with and without syncs inside.
// RUN: %tasks-run-and-compare %s 13
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

static long collatz_like(int n) {
  long x = 1, y = 2, z = 3;
  if (n <= 0) return 1;
  if (n % 2 == 0) {
    x = cilk_spawn collatz_like(n - 1);
  } else if (n % 3 == 0) {
    y = cilk_spawn collatz_like(n - 2);
    z = cilk_spawn collatz_like(n - 3);
  }
  cilk_sync;
  if (n % 5 == 0) {
    long w = cilk_spawn collatz_like(n - 2);
    x += 3;
    cilk_sync;
    x += w;
  } else {
    int k = n / 2;
    while (k > 2) {
      long w = 0;
      w = cilk_spawn collatz_like(k - 1);
      if (k % 2) {
        cilk_sync;
        z = cilk_spawn collatz_like(k - 2);
      }
      cilk_sync;
      y += w;
      k -= 2;
      if (y > 100000) break;
      if (k == 3) continue;
      y += z % 3;
    }
  }
  return (x * 3 + y * 5 + z) % 1000003;
}

int main(int argc, char** argv) {
  (void)argc;
  for (int i = 0; i < atoi(argv[1]); ++i) printf("%ld\n", collatz_like(i));
  return 0;
}
