// switch around spawns, with cases that fall through; macros that hide spawns, variables and
// returns; cilk_scope.
// RUN: %host-code-run-and-compare %s
// RUN: env CHANNELS_ORDER=channels CHANNELS_STATS=1 %t.lowered 2>&1 | FileCheck %s
// CHECK-NOT: stays on the host
// CHECK: tasks{{ +}}{{[1-9][0-9]+}}
#include <cilk/cilk.h>

#include <stdio.h>

#define SPAWN(x, f, n) long x = cilk_spawn f(n)
#define RETURN_SUM(a, b) return (a) + (b)

static long fib(int n) {
  if (n < 2) return n;
  SPAWN(x, fib, n - 1);
  SPAWN(y, fib, n - 2);
  cilk_sync;
  RETURN_SUM(x, y);
}

enum kind { leaf, one, two, three };

static long walk(enum kind what, int depth) {
  long a = 0, b = 0, c = 0;
  if (depth == 0) return what;
  switch (what) {
    case leaf: return 1;
    case three:
      c = cilk_spawn walk(two, depth - 1);
      /* fall through */
    case two: {
      b = cilk_spawn walk(three, depth - 1);
      a = walk(one, depth - 1);
      break;
    }
    case one:
      a = cilk_spawn walk(three, depth - 1);
      break;
    default: a = -1;
  }
  cilk_sync;
  return a + b + c;
}

static long scoped(int n) {
  long a = 0, b = 0;
  cilk_scope {
    a = cilk_spawn fib(n);
    b = fib(n - 1);
  }
  return a * b;
}

int main(void) {
  printf("%ld %ld %ld %ld\n", fib(15), walk(three, 8), walk(two, 9), scoped(10));
  return 0;
}
