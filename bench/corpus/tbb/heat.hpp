#pragma once

#include "bench/corpus/tbb/corpus_tbb.hpp"

// After examples/corpus/heat.c, whose kernels this uses.
namespace with_tbb {
namespace {

// Halves [lb, ub) until a strip is narrow, which is `leaf`'s.
template <class Leaf>
int strips(int lb, int ub, const Leaf& leaf) {
  if (ub - lb <= leafmaxcol) return leaf(lb, ub);
  const int m = (ub + lb) / 2;
  int l = 0, r = 0;
  parallel_invoke([&] { l = strips(lb, m, leaf); }, [&] { r = strips(m, ub, leaf); });
  return l + r;
}

}  // namespace
}  // namespace with_tbb
