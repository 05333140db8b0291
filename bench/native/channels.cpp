#include "bench/native/config.hpp"
#include "channels/cilk_host.hpp"
#include "channels/settings.hpp"
#include "tests/native/programs.h"

namespace bench_native {
namespace {

void with_workers(benchmark::State& state) {
  channels::settings s = channels::settings::from_environment();
  s.compute_units = static_cast<unsigned>(state.range(0));
  channels::cilk::use(s);
}

void channels_fib(benchmark::State& state) {
  with_workers(state);
  for (auto _ : state) check_fib(state, fib(fib_of));
}
BENCHMARK(channels_fib)->Apply(threads);

void channels_queens(benchmark::State& state) {
  with_workers(state);
  for (auto _ : state) check_queens(state, queens(rows));
}
BENCHMARK(channels_queens)->Apply(threads);

}  // namespace
}  // namespace bench_native
