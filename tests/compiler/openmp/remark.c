// Without the flag nobody follows OpenMP's directives, which is said once.
// RUN: %cilk2chan -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %cilk2chan -fopenmp-tasks -c %s -o %t.o 2>&1 | FileCheck --check-prefix=TAKEN --allow-empty %s
// TAKEN-NOT: remark
#ifdef _OPENMP
extern int follows;
#endif
long twice(long n) {
  long x;
// CHECK: remark.c:[[@LINE+1]]: remark: directives of OpenMP have no effect without '-fopenmp-tasks'
#pragma omp task shared(x)
  x = 2 * n;
#pragma omp taskwait
  return x;
}
