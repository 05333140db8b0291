#include "bench/skynet/config.hpp"
#include "bench/skynet/elision.hpp"

namespace bench_skynet {
namespace {

// An argument that no compiler knows when it compiles this.
void serial(benchmark::State& state) {
  for (auto _ : state) check(state, skynet(0, state.range(0)));
}
BENCHMARK(serial)->ArgName("leaves")->Arg(leaves)->Apply(bench::timed);

}  // namespace
}  // namespace bench_skynet
