#include "bench/heat/elision.hpp"
//
#include "bench/heat/config.hpp"

namespace bench_heat {
namespace {

void serial(benchmark::State& state) {
  measure(state, [](double** into, double** from, double t) {
    return compstripe(into, from, 0, columns, t);
  });
}
BENCHMARK(serial)->Apply(bench::timed);

}  // namespace
}  // namespace bench_heat
