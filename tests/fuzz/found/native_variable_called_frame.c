// In the body of a cilk_for the variable `frame` becomes `cilk_frame`, which is the name of
// something else.
#include <cilk/cilk.h>
#include <stdio.h>

static void add(long* place, long n) { *place += n; }
int main(void) {
  long sums[4] = {0}, frame = 3, first = 1;
  cilk_for(int i = 0; i < 4; i++) {
    cilk_spawn add(&sums[i], *(&frame) + *(&first));
    cilk_sync;
  }
  printf("%ld %ld\n", sums[0], sums[3]);
}
