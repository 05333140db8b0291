#include "bench/corpus/tbb/corpus_tbb.hpp"

#define main elision_main
#include "examples/corpus/fib.c"
#undef main

namespace with_tbb {

int fib(int n) {
  if (n < 2) return n;
  int x = 0;
  task_group children;
  children.run([&x, n] { x = fib(n - 1); });
  const int y = fib(n - 2);
  children.wait();
  return x + y;
}

}  // namespace with_tbb

int main(int argc, char** argv) {
  argc = timing_option(argc, argv);
  const int n = argc > 1 ? atoi(argv[1]) : 20;
  int result = 0;
  with_tbb::timed([&] { result = with_tbb::fib(n); });
  printf("fib(%d) = %d\n", n, result);
  return 0;
}
