#include "bench/matmul/elision.hpp"
//
#include "bench/corpus/tbb/matmul.hpp"
#include "bench/matmul/config.hpp"

namespace bench_matmul {
namespace {

void onetbb(benchmark::State& state) {
  oneapi::tbb::task_arena arena(bench::threads_of(state));
  measure(state, [&](double* a, double* b, double* c) {
    arena.execute([&] { with_tbb::rec_matmul(a, b, c, size, size, size, size); });
  });
}
BENCHMARK(onetbb)->Apply(bench::threads);

}  // namespace
}  // namespace bench_matmul
