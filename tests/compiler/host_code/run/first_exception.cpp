// Serially the child's exception is the first; what the continuation throws while it runs is later.
// RUN: %host-code-run-and-compare %s
#include <cilk/cilk.h>
#include <cstdio>

static int risky(int value) { throw value; }
static int both() {
  try {
    int a = cilk_spawn risky(5);
    int b = risky(7);
    cilk_sync;
    return a + b;
  } catch (int thrown) {
    return thrown;
  }
}
int main() { printf("%d\n", both()); }
