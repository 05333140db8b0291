#include "bench/corpus/tbb/corpus_tbb.hpp"

#define main elision_main
#include "examples/corpus/lu.c"
#undef main

namespace with_tbb {

void schur(Matrix M, Matrix V, Matrix W, int nb) {
  if (nb == 1) {
    block_schur(*M, *V, *W);
    return;
  }
  const int hnb = nb / 2;
  for (int k = 0; k <= hnb; k += hnb) {
    parallel_invoke([=] { schur(PART(M, 0, 0), PART(V, 0, k), PART(W, k, 0), hnb); },
                    [=] { schur(PART(M, 0, hnb), PART(V, 0, k), PART(W, k, hnb), hnb); },
                    [=] { schur(PART(M, hnb, 0), PART(V, hnb, k), PART(W, k, 0), hnb); },
                    [=] { schur(PART(M, hnb, hnb), PART(V, hnb, k), PART(W, k, hnb), hnb); });
  }
}

void lower_solve(Matrix M, Matrix L, int nb);

void aux_lower_solve(Matrix Ma, Matrix Mb, Matrix L, int nb) {
  lower_solve(Ma, PART(L, 0, 0), nb);
  schur(Mb, PART(L, nb, 0), Ma, nb);
  lower_solve(Mb, PART(L, nb, nb), nb);
}

void lower_solve(Matrix M, Matrix L, int nb) {
  if (nb == 1) {
    block_lower_solve(*M, *L);
    return;
  }
  const int hnb = nb / 2;
  parallel_invoke([=] { aux_lower_solve(PART(M, 0, 0), PART(M, hnb, 0), L, hnb); },
                  [=] { aux_lower_solve(PART(M, 0, hnb), PART(M, hnb, hnb), L, hnb); });
}

void upper_solve(Matrix M, Matrix U, int nb);

void aux_upper_solve(Matrix Ma, Matrix Mb, Matrix U, int nb) {
  upper_solve(Ma, PART(U, 0, 0), nb);
  schur(Mb, Ma, PART(U, 0, nb), nb);
  upper_solve(Mb, PART(U, nb, nb), nb);
}

void upper_solve(Matrix M, Matrix U, int nb) {
  if (nb == 1) {
    block_upper_solve(*M, *U);
    return;
  }
  const int hnb = nb / 2;
  parallel_invoke([=] { aux_upper_solve(PART(M, 0, 0), PART(M, 0, hnb), U, hnb); },
                  [=] { aux_upper_solve(PART(M, hnb, 0), PART(M, hnb, hnb), U, hnb); });
}

void lu(Matrix M, int nb) {
  if (nb == 1) {
    block_lu(*M);
    return;
  }
  const int hnb = nb / 2;
  lu(PART(M, 0, 0), hnb);
  parallel_invoke([=] { lower_solve(PART(M, 0, hnb), PART(M, 0, 0), hnb); },
                  [=] { upper_solve(PART(M, hnb, 0), PART(M, 0, 0), hnb); });
  schur(PART(M, hnb, hnb), PART(M, hnb, 0), PART(M, 0, hnb), hnb);
  lu(PART(M, hnb, hnb), hnb);
}

}  // namespace with_tbb

int main(int argc, char** argv) {
  argc = timing_option(argc, argv);
  const int n = argc > 2 ? atoi(argv[2]) : 128;
  const size_t bytes = static_cast<size_t>(n) * n * sizeof(double);
  Matrix M = static_cast<Matrix>(malloc(bytes));
  Matrix copy = static_cast<Matrix>(malloc(bytes));
  init_matrix(M, n / BLOCK_SIZE);
  memcpy(copy, M, bytes);
  with_tbb::timed([&] { with_tbb::lu(M, n / BLOCK_SIZE); });
  const int good = report(M, copy, n / BLOCK_SIZE);
  free(M);
  free(copy);
  return good ? 0 : 1;
}
