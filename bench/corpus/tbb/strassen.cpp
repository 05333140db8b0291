#include "bench/corpus/tbb/corpus_tbb.hpp"

#define main elision_main
#include "examples/corpus/strassen.c"
#undef main

namespace with_tbb {

void strassen(REAL* C, REAL* A, REAL* B, int n, int rowC, int rowA, int rowB) {
  if (n <= BASE) {
    multiply_base(C, A, B, n, rowC, rowA, rowB);
    return;
  }
  const int h = n / 2;
  const size_t quarter = static_cast<size_t>(h) * h;
  REAL* const heap = static_cast<REAL*>(malloc(11 * quarter * sizeof(REAL)));
  REAL *const S1 = heap, *const S2 = S1 + quarter, *const S3 = S2 + quarter,
              *const S4 = S3 + quarter;
  REAL *const T1 = S4 + quarter, *const T2 = T1 + quarter, *const T3 = T2 + quarter,
              *const T4 = T3 + quarter;
  REAL *const P1 = T4 + quarter, *const P6 = P1 + quarter, *const P7 = P6 + quarter;

  task_group children;
  children.run([=] { sums_of_a(A, rowA, h, S1, S2, S3, S4); });
  sums_of_b(B, rowB, h, T1, T2, T3, T4);
  children.wait();

  children.run([=] { strassen(P1, Q11(A, rowA, h), Q11(B, rowB, h), h, h, rowA, rowB); });
  children.run(
      [=] { strassen(Q11(C, rowC, h), Q12(A, rowA, h), Q21(B, rowB, h), h, rowC, rowA, rowB); });
  children.run([=] { strassen(Q12(C, rowC, h), S4, Q22(B, rowB, h), h, rowC, h, rowB); });
  children.run([=] { strassen(Q21(C, rowC, h), Q22(A, rowA, h), T4, h, rowC, rowA, h); });
  children.run([=] { strassen(Q22(C, rowC, h), S1, T1, h, rowC, h, h); });
  children.run([=] { strassen(P6, S2, T2, h, h, h, h); });
  strassen(P7, S3, T3, h, h, h, h);
  children.wait();

  combine(C, rowC, h, P1, P6, P7);
  free(heap);
}

}  // namespace with_tbb

int main(int argc, char** argv) {
  argc = timing_option(argc, argv);
  const int n = argc > 1 ? atoi(argv[1]) : 256;
  REAL *A = alloc_matrix(n), *B = alloc_matrix(n), *C = alloc_matrix(n);
  init_matrix(n, A, 17);
  init_matrix(n, B, 42);
  with_tbb::timed([&] { with_tbb::strassen(C, A, B, n, n, n, n); });
  const int good = report(n, A, B, C);
  free(A);
  free(B);
  free(C);
  return good ? 0 : 1;
}
