// Blocks that are spawned change reducers.
// RUN: %host-code-run-and-compare %s
// RUN: %device-run-and-compare %s
#include <cilk/cilk.h>
#include <stdio.h>
static void zero(void *v) { *(long *)v = 0; }
static void add(void *l, void *r) { *(long *)l += *(long *)r; }
static void lowest(void *v) { *(long *)v = -1000000; }
static void most(void *l, void *r) { if (*(long *)l < *(long *)r) *(long *)l = *(long *)r; }
long cilk_reducer(zero, add) total = 0;
long cilk_reducer(lowest, most) top = -1000000;
void walk(int n) {
  if (n <= 0) { total += 1; return; }
  cilk_spawn {
    total += n;
    if (top < n * 3 % 17) top = n * 3 % 17;
    walk(n - 2);
  }
  walk(n - 1);
  cilk_sync;
}
long local(int n) {
  long cilk_reducer(zero, add) sum = 0;
  for (int i = 0; i < n; i++) {
    cilk_spawn { sum += i; }
  }
  cilk_sync;
  return sum;
}
int main(void) {
  walk(16);
  printf("%ld %ld %ld\n", total, top, local(100));
  return 0;
}
