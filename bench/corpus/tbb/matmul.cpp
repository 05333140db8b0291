#include "bench/corpus/tbb/corpus_tbb.hpp"

#define main elision_main
#include "examples/corpus/matmul.c"
#undef main

namespace with_tbb {

void rec_matmul(REAL* A, REAL* B, REAL* C, int m, int n, int p, int ld) {
  if (SMALL(m, n, p)) {
    base_matmul(A, B, C, m, n, p, ld);
  } else if (m >= n && n >= p) {
    const int m1 = m >> 1;
    const size_t down = static_cast<size_t>(m1) * ld;
    parallel_invoke([=] { rec_matmul(A, B, C, m1, n, p, ld); },
                    [=] { rec_matmul(A + down, B, C + down, m - m1, n, p, ld); });
  } else if (n > m && n >= p) {
    const int n1 = n >> 1;
    rec_matmul(A, B, C, m, n1, p, ld);
    rec_matmul(A + n1, B + static_cast<size_t>(n1) * ld, C, m, n - n1, p, ld);
  } else {
    const int p1 = p >> 1;
    parallel_invoke([=] { rec_matmul(A, B, C, m, n, p1, ld); },
                    [=] { rec_matmul(A, B + p1, C + p1, m, n, p - p1, ld); });
  }
}

}  // namespace with_tbb

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
