#include "bench/corpus/tbb/corpus_tbb.hpp"

#define main elision_main
#include "examples/corpus/cholesky.c"
#undef main

namespace with_tbb {

Matrix parallel_mul_and_subT(int depth, int lower, Matrix a, Matrix b, Matrix r) {
  if (IS_NULL(a) || IS_NULL(b)) return r;
  if (depth == BLOCK_DEPTH) return ::mul_and_subT(depth, lower, a, b, r);
  depth--;
  Matrix* const ac = a.internal->child;
  Matrix* const bc = b.internal->child;
  if (IS_NULL(r)) r = new_internal(NOTHING, NOTHING, NOTHING, NOTHING);
  Matrix* const rc = r.internal->child;
  task_group children;
  for (int k = 0; k < 2; k++) {
    const auto child = [=](int i, int j, int half) {
      rc[2 * i + j] =
          parallel_mul_and_subT(depth, half, ac[2 * i + k], bc[2 * j + k], rc[2 * i + j]);
    };
    children.run([=] { child(0, 0, lower); });
    if (!lower) children.run([=] { child(0, 1, 0); });
    children.run([=] { child(1, 0, 0); });
    children.run([=] { child(1, 1, lower); });
    children.wait();
  }
  return r;
}

Matrix parallel_backsub(int depth, Matrix a, Matrix l) {
  if (IS_NULL(a)) return a;
  if (depth == BLOCK_DEPTH) return ::backsub(depth, a, l);
  depth--;
  Matrix* const ac = a.internal->child;
  Matrix* const lc = l.internal->child;
  const auto both = [](const auto& upper, const auto& under) { parallel_invoke(upper, under); };
  both([=] { ac[_00] = parallel_backsub(depth, ac[_00], lc[_00]); },
       [=] { ac[_10] = parallel_backsub(depth, ac[_10], lc[_00]); });
  both([=] { ac[_01] = parallel_mul_and_subT(depth, 0, ac[_00], lc[_10], ac[_01]); },
       [=] { ac[_11] = parallel_mul_and_subT(depth, 0, ac[_10], lc[_10], ac[_11]); });
  both([=] { ac[_01] = parallel_backsub(depth, ac[_01], lc[_11]); },
       [=] { ac[_11] = parallel_backsub(depth, ac[_11], lc[_11]); });
  return a;
}

Matrix parallel_cholesky(int depth, Matrix a) {
  if (IS_NULL(a)) return a;
  if (depth == BLOCK_DEPTH) return ::cholesky(depth, a);
  depth--;
  Matrix* const c = a.internal->child;
  if (IS_NULL(c[_10])) {
    parallel_invoke([=] { c[_00] = parallel_cholesky(depth, c[_00]); },
                    [=] { c[_11] = parallel_cholesky(depth, c[_11]); });
  } else {
    c[_00] = parallel_cholesky(depth, c[_00]);
    c[_10] = parallel_backsub(depth, c[_10], c[_00]);
    c[_11] = parallel_mul_and_subT(depth, 1, c[_10], c[_10], c[_11]);
    c[_11] = parallel_cholesky(depth, c[_11]);
  }
  return a;
}

}  // namespace with_tbb

int main(int argc, char** argv) {
  argc = timing_option(argc, argv);
  int size = 128, nonzeros = 200;
  for (int i = 1; i + 1 < argc; i += 2) (argv[i][1] == 'n' ? size : nonzeros) = atoi(argv[i + 1]);
  const int depth = depth_of(size);
  const Matrix a = make_matrix(depth, size, nonzeros);
  Matrix l = copy_matrix(depth, a);
  with_tbb::timed([&] { l = with_tbb::parallel_cholesky(depth, l); });
  const int good = report(depth, size, nonzeros, a, l);
  free_matrix(depth, a);
  free_matrix(depth, l);
  return good ? 0 : 1;
}
