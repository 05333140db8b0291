#include "bench/openmp.hpp"

#include "bench/matmul/elision.hpp"
//
#include "bench/matmul/config.hpp"

namespace bench_matmul {
namespace {

// Halves of n add to the same C: one comes after the other.
void multiply(double* a, double* b, double* c, int m, int n, int p) {
  if (SMALL(m, n, p)) {
    base_matmul(a, b, c, m, n, p, size);
  } else if (m >= n && n >= p) {
    const int half = m / 2;
    const std::ptrdiff_t down = std::ptrdiff_t{half} * size;
#pragma omp task
    multiply(a, b, c, half, n, p);
    multiply(a + down, b, c + down, m - half, n, p);
#pragma omp taskwait
  } else if (n > m && n >= p) {
    const int half = n / 2;
    multiply(a, b, c, m, half, p);
    multiply(a + half, b + std::ptrdiff_t{half} * size, c, m, n - half, p);
  } else {
    const int half = p / 2;
#pragma omp task
    multiply(a, b, c, m, n, half);
    multiply(a, b + half, c + half, m, n, p - half);
#pragma omp taskwait
  }
}

void openmp(benchmark::State& state) {
  measure(state, [&](double* a, double* b, double* c) {
    bench::with_team(bench::threads_of(state), [&] { multiply(a, b, c, size, size, size); });
  });
}
BENCHMARK(openmp)->Apply(bench::threads);

}  // namespace
}  // namespace bench_matmul
