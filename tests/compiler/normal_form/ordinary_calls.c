// Functions that call tasks inside of expressions, where those are tasks as they stand.
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

// Spawns nothing, and stands between two functions that do.
static long squared(int n) { return fib(n) * fib(n); }

static long mixed(int n) {
  if (n < 4) return 1;
  long left = cilk_spawn mixed(n - 1);
  (void)fib(5);
  long right = n + fib(n - 1) * fib(n - 2) + squared(n - 3);
  cilk_sync;
  return left + right;
}

static int search(int limit) {
  int n = 0;
  while (fib(n) < limit && n < 40) ++n;
  long more = cilk_spawn fib(n - 1);
  int rest = cilk_spawn fib(n) > limit ? 1 : 0;
  for (int i = 0; i < fib(4); ++i) n += fib(i) % 2 == 0 ? (int)fib(i + 1) : 0;
  if (!(squared(3) == 4 || fib(n) == 0)) n = -1;
  cilk_sync;
  return n + rest + (int)more;
}

static long table[8];

static void fill(int count) {
  cilk_for (int i = 0; i < count; ++i) table[i] = 2 * fib(i + 3) - squared(i);
}

int main(void) {
  printf("%ld %d\n", mixed(14), search(30));
  fill(8);
  for (int i = 0; i < 8; ++i) printf("%ld ", table[i]);
  printf("%ld\n", squared(6) + fib(7));
  return 0;
}
