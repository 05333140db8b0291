#include "bench/openmp.hpp"

#include "bench/fib/config.hpp"

namespace bench_fib {
namespace {

/// One call is a task and the other is made here.
long fib(int i) {
  if (i < 2) return i;
  long x = 0;
#pragma omp task shared(x)
  x = fib(i - 1);
  const long y = fib(i - 2);
#pragma omp taskwait
  return x + y;
}

void openmp(benchmark::State& state) {
  for (auto _ : state) {
    long result = 0;
    bench::with_team(bench::threads_of(state), [&] { result = fib(n); });
    check(state, result);
  }
  count_calls(state);
}
BENCHMARK(openmp)->Apply(bench::threads);

}  // namespace
}  // namespace bench_fib
