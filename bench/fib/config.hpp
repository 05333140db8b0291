#pragma once

#include "bench/competitors.hpp"
#include "examples/tasks/fib.hpp"

/// fib(35), 29,860,703 calls, each of them a task: what a task costs.
namespace bench_fib {

inline constexpr int n = 35;

inline void check(benchmark::State& state, long result) {
  static const long expected = tasks::serial_fib(n);
  bench::check(state, result == expected);
}

/// Reports calls in a second.
inline void count_calls(benchmark::State& state) {
  // fib(n + 1) calls return at once, and one less add.
  static const double calls = 2 * static_cast<double>(tasks::serial_fib(n + 1)) - 1;
  state.counters["calls"] =
      benchmark::Counter(calls, benchmark::Counter::kIsIterationInvariantRate);
}

}  // namespace bench_fib
