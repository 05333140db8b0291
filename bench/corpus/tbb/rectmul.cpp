#include "bench/corpus/tbb/corpus_tbb.hpp"

#define main elision_main
#include "examples/corpus/rectmul.c"
#undef main

namespace with_tbb {

long long multiply_matrix(pblock A, long oa, pblock B, long ob, long x, long y, long z, pblock R,
                          long orr, int add) {
  if (x + y + z == 3) return mult_block(A[0], B[0], R[0], add);
  long long first = 0, second = 0;
  task_group children;
  if (x >= y && x >= z) {
    children.run([=, &first] { first = multiply_matrix(A, oa, B, ob, x / 2, y, z, R, orr, add); });
    second = multiply_matrix(A + (x / 2) * oa, oa, B, ob, (x + 1) / 2, y, z, R + (x / 2) * orr, orr,
                             add);
  } else if (y > x && y > z) {
    first = multiply_matrix(A + (y / 2), oa, B + (y / 2) * ob, ob, x, (y + 1) / 2, z, R, orr, add);
    second = multiply_matrix(A, oa, B, ob, x, y / 2, z, R, orr, 1);
  } else {
    children.run([=, &first] { first = multiply_matrix(A, oa, B, ob, x, y, z / 2, R, orr, add); });
    second = multiply_matrix(A, oa, B + (z / 2), ob, x, y, (z + 1) / 2, R + (z / 2), orr, add);
  }
  children.wait();
  return first + second;
}

}  // namespace with_tbb

int main(int argc, char** argv) {
  argc = timing_option(argc, argv);
  const long x = argc > 3 ? atol(argv[1]) : 4, y = argc > 3 ? atol(argv[2]) : 7,
             z = argc > 3 ? atol(argv[3]) : 5;
  pblock A = static_cast<pblock>(malloc(x * y * sizeof(block)));
  pblock B = static_cast<pblock>(malloc(y * z * sizeof(block)));
  pblock R = static_cast<pblock>(malloc(x * z * sizeof(block)));
  init_matrix(A, x, y, y, 1.0);
  init_matrix(B, y, z, z, 0.5);
  long long flops = 0;
  with_tbb::timed([&] { flops = with_tbb::multiply_matrix(A, y, B, z, x, y, z, R, z, 0); });
  const int good = report(A, B, R, x, y, z, flops);
  free(A);
  free(B);
  free(R);
  return good ? 0 : 1;
}
