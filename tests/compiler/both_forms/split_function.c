// A function with several heads and ends, of which the preprocessor chooses: the file of the tasks keeps the directives.
// RUN: %cilk2chan %s -o %t.out && env CHANNELS_ORDER=channels CHANNELS_STATS=1 %t.out 2>&1 | FileCheck %s
// RUN: %cilk2chan -DNARROW %s -o %t.out && env CHANNELS_ORDER=channels CHANNELS_STATS=1 %t.out 2>&1 | FileCheck %s
// RUN: %t.out | FileCheck --check-prefix=RESULT %s
// CHECK-DAG: 6765
// CHECK-DAG: {{^}}tasks{{ +}}{{[1-9][0-9][0-9]+}}
// RESULT: 6765
#include <cilk/cilk.h>
#include <stdio.h>

#ifndef NARROW
long fib(long n)
#else
long fib(int n)
#endif
{
  if (n < 2) return n;
#if 0
  return -1;
#else
  long x = cilk_spawn fib(n - 1);
#endif
  long y = fib(n - 2);
  cilk_sync;
#if defined(NARROW)
  return y + x;
}
#elif !defined(NOTHING)
  return x + y;
}
#else
}
#endif

int main(void) {
  printf("%ld\n", fib(20));
  return 0;
}
