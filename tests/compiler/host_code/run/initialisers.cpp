// A spawn in each form that C++ has for the initial value of a variable.
// RUN: %host-code-run-and-compare %s -std=c++20
#include <cilk/cilk.h>

#include <cstdio>

static int twice(int n) { return n * 3 + 1; }
static long all(int n) {
  int a(cilk_spawn twice((n + 1) * 2)), b(7);
  int c{cilk_spawn twice(n + 2)};
  int d = {cilk_spawn twice(n + 3)};
  const int e = cilk_spawn twice(n), f(cilk_spawn twice(n - 1));
  auto g(cilk_spawn twice(n - 2));
  cilk_sync;
  return a + 2L * b + 3L * c + 5L * d + 7L * e + 11L * f + 13L * g;
}
int main() { std::printf("%ld\n", all(4)); }
