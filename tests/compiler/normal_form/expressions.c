// Calls inside of expressions, conditions and arguments; results that are added.
// RUN: %host-code-run-and-compare %s
// RUN: env CHANNELS_ORDER=channels CHANNELS_STATS=1 %t.lowered 2>&1 | FileCheck %s
// CHECK-NOT: stays on the host
// CHECK: tasks{{ +}}{{[1-9][0-9]+}}
#include <cilk/cilk.h>

#include <stdio.h>

static long fib(int n) {
  if (n < 2) return n;
  long x = cilk_spawn fib(n - 1);
  long y = fib(n - 2);
  cilk_sync;
  return x + y;
}

static long both(int n) { return fib(n) + 2 * fib(n - 1) - (n > 10 ? fib(3) : 1); }

static int is_large(int n) { return fib(n) > 50; }

static long sums(int n) {
  if (n < 2) return n;
  long sum = 1;
  sum += cilk_spawn sums(n - 1);
  sum += cilk_spawn sums(n - 2);
  cilk_sync;
  return sum;
}

static long leaves(int depth, int width) {
  if (depth == 0) return 1;
  long count = 0;
  for (int i = 0; i < width; ++i) count += cilk_spawn leaves(depth - 1, i + 1);
  cilk_sync;
  return count;
}

static double product(int n) {
  double result = 1;
  if (n == 0) return result;
  result *= cilk_spawn product(n - 1);
  result /= 1.5;
  cilk_sync;
  return result + n;
}

static int conditions(int n) {
  int found = 0;
  if (n > 3 && is_large(n)) found += 1;
  if (n < 3 || !is_large(n - 1)) found += 2;
  while (fib(found) < 5) found++;
  for (int i = 0; fib(i) < 20; ++i) found += i == 3 ? 0 : 1;
  found += is_large(n) ? is_large(n + 1) + 10 : 20;
  return found;
}

int main(void) {
  printf("%ld %ld %ld\n", fib(15), both(12), sums(14));
  printf("%ld %g\n", leaves(5, 6), product(10));
  printf("%d %d %d\n", conditions(2), conditions(5), conditions(12));
  return 0;
}
