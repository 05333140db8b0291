#include "bench/matmul/elision.hpp"
//
#include "bench/matmul/config.hpp"

namespace bench_matmul {
namespace {

void serial(benchmark::State& state) {
  measure(state,
          [](double* a, double* b, double* c) { rec_matmul(a, b, c, size, size, size, size); });
}
BENCHMARK(serial)->Apply(bench::timed);

}  // namespace
}  // namespace bench_matmul
