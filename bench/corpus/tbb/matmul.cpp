#define main elision_main
#include "examples/corpus/matmul.c"
#undef main

#include "bench/corpus/tbb/matmul.hpp"

int main(int argc, char** argv) {
  argc = timing_option(argc, argv);
  const int n = argc > 1 ? atoi(argv[1]) : 100;
  const size_t bytes = static_cast<size_t>(n) * n * sizeof(REAL);
  REAL *A = static_cast<REAL*>(malloc(bytes)), *B = static_cast<REAL*>(malloc(bytes));
  REAL* C = static_cast<REAL*>(malloc(bytes));
  init(A, n);
  init(B, n);
  zero(C, n);
  with_tbb::timed([&] { with_tbb::rec_matmul(A, B, C, n, n, n, n); });
  report(C, n);
  free(A);
  free(B);
  free(C);
  return 0;
}
