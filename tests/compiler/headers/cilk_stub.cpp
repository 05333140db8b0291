// The stub makes a file its serial elision, whatever else the program includes.
// RUN: %cilk2chan --explain %s -o %t 2>&1 | FileCheck %s --allow-empty --check-prefix=SILENT
// RUN: env CHANNELS_GIVE=always CHANNELS_CUS=2 %t | FileCheck %s
// SILENT-NOT: given away
#include <cilk/cilk_stub.h>
#include <cilk/cilk.h>
#include <cilk/cilk_api.h>
#include <cilk/opadd_reducer.h>
#include <cilk/reducer_opadd.h>
#include <cstdio>

static long fib(int n) {
  if (n < 2) return n;
  long x = cilk_spawn fib(n - 1);
  long y = _Cilk_spawn fib(n - 2);
  cilk_sync;
  return x + y;
}

int main() {
  cilk::reducer_opadd<int> sum;
  cilk::opadd_reducer<int> other = 0;
  cilk_for (int i = 0; i < 10; ++i) { sum += i; other += i; }
  cilk_spawn { other += 1; }
  // CHECK: 55 45 46 1
  std::printf("%ld %d %d %d\n", fib(10), sum.get_value(), other, __cilkrts_get_nworkers());
}
