#include "bench/corpus/tbb/corpus_tbb.hpp"

#define main elision_main
#include "examples/corpus/nqueens.c"
#undef main

namespace with_tbb {

int nqueens(int n, int j, char* a) {
  if (n == j) return 1;
  task_group children;
  int* count = static_cast<int*>(alloca(n * sizeof(int)));
  memset(count, 0, n * sizeof(int));
  for (int i = 0; i < n; i++) {
    char* b = static_cast<char*>(alloca(j + 1));
    memcpy(b, a, j);
    b[j] = static_cast<char>(i);
    if (ok(j + 1, b)) children.run([=] { count[i] = nqueens(n, j + 1, b); });
  }
  children.wait();
  int total = 0;
  for (int i = 0; i < n; i++) total += count[i];
  return total;
}

}  // namespace with_tbb

int main(int argc, char** argv) {
  argc = timing_option(argc, argv);
  const int n = argc > 1 ? atoi(argv[1]) : 8;
  char a[32];
  int result = 0;
  with_tbb::timed([&] { result = with_tbb::nqueens(n, 0, a); });
  printf("nqueens(%d) = %d\n", n, result);
  return 0;
}
