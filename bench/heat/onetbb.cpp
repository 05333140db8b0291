#include "bench/heat/elision.hpp"
//
#include "bench/corpus/tbb/heat.hpp"
#include "bench/heat/config.hpp"

namespace bench_heat {
namespace {

void onetbb(benchmark::State& state) {
  oneapi::tbb::task_arena arena(bench::threads_of(state));
  measure(state, [&](double** into, double** from, double t) {
    return arena.execute([&] {
      return with_tbb::strips(0, columns,
                              [=](int lb, int ub) { return compstripe(into, from, lb, ub, t); });
    });
  });
}
BENCHMARK(onetbb)->Apply(bench::threads);

}  // namespace
}  // namespace bench_heat
