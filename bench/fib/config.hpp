#pragma once

#include <benchmark/benchmark.h>  // State

#include "examples/tasks/fib.hpp"

/// fib(35), 29,860,703 calls, each of them a task: what a task costs.
namespace bench_fib {

inline constexpr int n = 35;

inline void check(benchmark::State& state, long result) {
  static const long expected = tasks::serial_fib(n);
  if (result != expected) state.SkipWithError("the result is not the serial one");
}

/// Reports calls in a second.
inline void count_calls(benchmark::State& state) {
  // fib(n + 1) calls return at once, and one less add.
  static const double calls = 2 * static_cast<double>(tasks::serial_fib(n + 1)) - 1;
  state.counters["calls"] =
      benchmark::Counter(calls, benchmark::Counter::kIsIterationInvariantRate);
}

/// With one and two threads; real time and the CPU time of all threads.
inline void threads(benchmark::internal::Benchmark* b) {
  b->ArgName("threads")->Arg(1)->Arg(2)->UseRealTime()->MeasureProcessCPUTime()->Unit(
      benchmark::kMillisecond);
}

}  // namespace bench_fib
