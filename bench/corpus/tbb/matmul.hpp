#pragma once

#include "bench/corpus/tbb/corpus_tbb.hpp"

// After examples/corpus/matmul.c, whose kernels this uses.
namespace with_tbb {
namespace {

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

}  // namespace
}  // namespace with_tbb
