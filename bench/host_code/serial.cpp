#include "bench/host_code/config.hpp"

namespace bench_host_code {
namespace {

void serial_c_fib(benchmark::State& state) {
  for (auto _ : state) check_fib(state, serial_fib(fib_of + state.range(0)));
}
// The argument is known only at run time, so the compiler cannot compute the result.
BENCHMARK(serial_c_fib)->ArgName("more")->Arg(0)->Apply(bench::timed);

void serial_c_queens(benchmark::State& state) {
  for (auto _ : state) check_queens(state, serial_queens(rows + static_cast<int>(state.range(0))));
}
BENCHMARK(serial_c_queens)->ArgName("more")->Arg(0)->Apply(bench::timed);

}  // namespace
}  // namespace bench_host_code
