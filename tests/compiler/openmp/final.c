// Whether a task is final nobody asks: its 'final' clause is a hint.
// RUN: %host-code-refuse -fopenmp-tasks %s | FileCheck %s
#include <omp.h>

long fib(int n) {
  long x, y;
  if (n < 2) return n;
#pragma omp task shared(x) final(n < 9)
  x = fib(n - 1);
  y = fib(n - 2);
#pragma omp taskwait
  return x + y;
}
// CHECK: final.c:[[@LINE+1]]:{{[0-9]+}}: error: 'omp_in_final' is unavailable: give the task what its 'final' clause says as an argument
int main(void) { return omp_in_final() ? 0 : (int)fib(3); }
