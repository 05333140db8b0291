#include "bench/fib/config.hpp"

namespace bench_fib {
namespace {

void serial(benchmark::State& state) {
  for (auto _ : state) {
    int argument = n;
    benchmark::DoNotOptimize(argument);
    check(state, tasks::serial_fib(argument));
  }
  count_calls(state);
}
BENCHMARK(serial)->UseRealTime()->MeasureProcessCPUTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace bench_fib
