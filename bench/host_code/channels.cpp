#include "bench/host_code/config.hpp"
#include "channels/cilk/spawn.hpp"
#include "tests/host_code/programs.h"

namespace bench_host_code {
namespace {

void channels_fib(benchmark::State& state) {
  channels::cilk::use(bench::settings_of(state));
  for (auto _ : state) check_fib(state, fib(fib_of));
}
BENCHMARK(channels_fib)->Apply(bench::threads);

void channels_queens(benchmark::State& state) {
  channels::cilk::use(bench::settings_of(state));
  for (auto _ : state) check_queens(state, queens(rows));
}
BENCHMARK(channels_queens)->Apply(bench::threads);

}  // namespace
}  // namespace bench_host_code
