#include "bench/fib/config.hpp"

namespace bench_fib {
namespace {

// An argument that no compiler knows when it compiles this.
void serial(benchmark::State& state) {
  for (auto _ : state) check(state, tasks::serial_fib(static_cast<int>(state.range(0))));
  count_calls(state);
}
BENCHMARK(serial)->ArgName("n")->Arg(n)->Apply(bench::timed);

}  // namespace
}  // namespace bench_fib
