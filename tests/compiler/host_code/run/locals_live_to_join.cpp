// The implicit sync of a return comes before the locals end, arrays of variable length among them.
// RUN: %host-code-run-and-compare %s
#include <cilk/cilk.h>
#include <cstdio>

static long set(long* place, int n) {
  for (int i = 0; i < n; i++) place[i] = -1;
  return 3;
}
static int array(int n) {
  long values[2 + n];
  values[0] = 0;
  long x = cilk_spawn set(values, 2);
  return 1;
}
int main() { printf("%d\n", array(2)); }
