// Whether a task is final, functions learn from their callers: a second parameter of theirs.
// RUN: %cilk2chan -fopenmp-tasks -O1 -w %s -o %t
// RUN: env CHANNELS_CUS=2 %t | FileCheck %s
// RUN: env CHANNELS_ORDER=channels %t 2>&1 | FileCheck %s
// RUN: %cilk2chan -fopenmp-tasks --serial -O1 -w %s -o %t.serial && %t.serial | FileCheck --check-prefix=SERIAL %s
// CHECK-NOT: stays on the host
// CHECK: 377 32 21
// CHECK-NEXT: 0 1 1 0
// CHECK-NEXT: 1 1 4
// SERIAL: 377
#include <omp.h>
#include <stdio.h>

static long calls_in_final, calls;

long fib(int n /* which */,
         int depth);  // declared before

static void note(void) {
#pragma omp atomic
  calls++;
  if (omp_in_final()) {
#pragma omp atomic
    calls_in_final++;
  }
}

static long twice(int n, int depth) { return fib(n, depth); }

long fib(int n,  // which
         int depth) {
  long x, y;
  if (n < 2) return n;
  if (omp_in_final() && depth > 3) {
    note();
    x = twice(n - 1, depth + 1);
    y = fib(n - 2, depth + 1);
    return x + y;
  }
#pragma omp task shared(x) final(depth >= 2) mergeable
  x = fib(n - 1, depth + 1);
#pragma omp task shared(y) final(depth >= 2)
  {
    int own = depth;
    y = fib(n - 2, own + 1);
  }
#pragma omp taskwait
  return x + y;
}

static int asked(void) { return omp_in_final() != 0; }

int main(void) {
  long found;
#pragma omp parallel
#pragma omp single
  found = fib(14, 0);
  long most = calls_in_final == calls && calls > 0 ? 32 : 0;
  printf("%ld %ld %d\n", found, most, calls > 20 ? 21 : 0);
  int outside = asked(), first = 0, inner = 0, team = 1, chunks = 0, block = 0;
#pragma omp parallel shared(first, inner, team)
#pragma omp single
  {
#pragma omp task final(1) shared(first, inner)
    {
      first = omp_in_final();
#pragma omp task shared(inner)
      inner = asked();
    }
    team = omp_in_final();
  }
  printf("%d %d %d %d\n", outside, first, inner, team);
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop final(first) reduction(+ : chunks)
    for (int i = 0; i < 4; i++) chunks += asked();
#pragma omp task final(first == 7) shared(block)
    {
#pragma omp task final(first == 1) shared(block)
      block = asked();
    }
  }
  printf("%d %d %d\n", block, asked() == 0, chunks);
  return 0;
}
