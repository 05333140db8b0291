#include "bench/openmp.hpp"

#include "bench/heat/elision.hpp"
//
#include "bench/heat/config.hpp"

namespace bench_heat {
namespace {

int strips(double** into, double** from, int lb, int ub, double t) {
  if (ub - lb <= leafmaxcol) return compstripe(into, from, lb, ub, t);
  const int middle = (ub + lb) / 2;
  int left = 0;
#pragma omp task shared(left)
  left = strips(into, from, lb, middle, t);
  const int right = strips(into, from, middle, ub, t);
#pragma omp taskwait
  return left + right;
}

void openmp(benchmark::State& state) {
  measure(state, [&](double** into, double** from, double t) {
    int count = 0;
    bench::with_team(bench::threads_of(state), [&] { count = strips(into, from, 0, columns, t); });
    return count;
  });
}
BENCHMARK(openmp)->Apply(bench::threads);

}  // namespace
}  // namespace bench_heat
