// C++ reads through `c ? a : b` and `(a, b)`, which are places there: that changes neither of the variables.
// RUN: %tasks-run-and-compare %s 9
#include <cilk/cilk.h>
#include <cstdio>
#include <cstdlib>

static int count(int n) {
  if (n < 2) return n;
  long first = cilk_spawn count(n - 1);
  long second = cilk_spawn count(n - 2);
  cilk_sync;
  long larger = first > second ? first : second;
  long last = ((void)n, second);
  return static_cast<int>(larger + (n % 2 ? (first) : second) - last);
}

int main(int argc, char** argv) {
  (void)argc;
  std::printf("%d\n", count(std::atoi(argv[1])));
}
