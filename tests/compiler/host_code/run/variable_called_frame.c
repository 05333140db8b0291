// Variables with the names that generated code gives its own, in the body of a cilk_for.
// RUN: %host-code-run-and-compare %s
#include <cilk/cilk.h>
#include <stdio.h>

static void add(long* place, long n) { *place += n; }
int main(void) {
  long sums[4] = {0}, frame = 3, first = 1;
  cilk_for (int i = 0; i < 4; i++) {
    cilk_spawn add(&sums[i], *(&frame) + *(&first));
    cilk_sync;
  }
  printf("%ld %ld\n", sums[0], sums[3]);
}
