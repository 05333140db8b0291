// C whose types or functions C++ does not take: the program is built all the same.
// RUN: %cilk2chan -w %s -o %t
// RUN: %t 2>&1 | FileCheck %s
// RUN: env CHANNELS_ORDER=channels %t 2>&1 | FileCheck --check-prefixes=CHECK,STAY %s
// RUN: %cilk2chan -w -c %s -o %t.o && %cilk2chan %t.o -o %t && env CHANNELS_ORDER=channels %t 2>&1 | FileCheck --check-prefixes=CHECK,STAY %s
#include <cilk/cilk.h>
#include <stdio.h>

struct outer {
  struct inner {
    int a;
  } in;
};
struct inner alone = {4};

int fib(int n) {
  // STAY: channels: fib: stays on the host, depth-first: {{.*}}it does not compile as C++: {{.*}}not_cxx.c:[[@LINE+1]]:{{[0-9]+}}: error:
  if (n < 2) return n + 0 * alone.a;
  int x = cilk_spawn fib(n - 1);
  int y = fib(n - 2);
  cilk_sync;
  return x + y;
}

int main(void) {
  // CHECK: 59
  printf("%d\n", fib(10) + alone.a);
  return 0;
}
