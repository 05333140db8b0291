// The body of a cilk_for calls its function, which has no prototype before.
// RUN: %host-code-run-and-compare %s
#include <cilk/cilk.h>
#include <stdio.h>

static long count(int n) {
  long parts[4] = {0};
  if (n < 1) return 1;
  cilk_for(int i = 0; i < 4; i++) { parts[i] = count(n - 1) + i; }
  return parts[0] + parts[1] + parts[2] + parts[3];
}
int main(void) { printf("%ld\n", count(3)); }
