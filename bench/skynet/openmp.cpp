#include "bench/openmp.hpp"

#include "bench/skynet/config.hpp"

namespace bench_skynet {
namespace {

// The last child runs here.
long skynet(long first, long below) {
  if (below == 1) return first;
  constexpr int children = 10;
  long numbers[children - 1];
  const long each = below / children;
  for (int i = 0; i < children - 1; ++i) {
#pragma omp task shared(numbers)
    numbers[i] = skynet(first + i * each, each);
  }
  long sum = skynet(first + (children - 1) * each, each);
#pragma omp taskwait
  for (const long number : numbers) sum += number;
  return sum;
}

void openmp(benchmark::State& state) {
  for (auto _ : state) {
    long sum = 0;
    bench::with_team(bench::threads_of(state), [&] { sum = skynet(0, leaves); });
    check(state, sum);
  }
}
BENCHMARK(openmp)->Apply(bench::threads);

}  // namespace
}  // namespace bench_skynet
