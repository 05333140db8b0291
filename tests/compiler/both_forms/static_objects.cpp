// Classes, and objects that are made when the program starts, may call functions that spawn.
// RUN: %cilk2chan --serial %s -o %t && %t | FileCheck %s --check-prefix=ANSWER
// RUN: %cilk2chan %s -o %t && %t | FileCheck %s --check-prefix=ANSWER
// RUN: env CHANNELS_ORDER=channels CHANNELS_STATS=1 %t 2>&1 | FileCheck %s
// RUN: %cilk2chan -O0 --device=emulated %s -o %t
// RUN: env CHANNELS_DEVICE=emulated %t | FileCheck %s --check-prefix=ANSWER
// ANSWER: 13607 6765 10
// CHECK-NOT: stays on the host
// CHECK: 13607 6765 10
// CHECK: tasks{{ +}}{{[1-9][0-9]+}}
#include <cilk/cilk.h>

#include <cstdio>

static long with_prototype(int n, int more);

long fib(int n = 4) {
  if (n < 2) return n;
  long x = cilk_spawn fib(n - 1);
  long y = cilk_spawn fib(n - 2);
  cilk_sync;
  return x + y;
}

struct made_early {
  long value;
  made_early() : value(fib(20) + fib()) {}
  long more() { return fib(10) + value + with_prototype(5, 1); }
};
static made_early first;

static long only_here(int n) {
  if (n < 2) return n;
  long x = cilk_spawn only_here(n - 1);
  long y = cilk_spawn only_here(n - 2);
  cilk_sync;
  return x + y;
}

struct made_later {
  long value;
  made_later() { value = only_here(20); }
  template <class Number>
  Number sum(Number n) {
    return n + only_here(5) + with_prototype(3, 0);
  }
};
static made_later second;

static long with_prototype(int n, int more) {
  if (n < 2) return n + more;
  long x = cilk_spawn with_prototype(n - 1, more);
  long y = cilk_spawn with_prototype(n - 2, more);
  cilk_sync;
  return x + y;
}

int main() {
  std::printf("%ld %ld %ld\n", first.value + first.more() + 3, second.value, second.sum(3L));
  return 0;
}
