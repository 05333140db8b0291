#pragma once

#include <benchmark/benchmark.h>  // State

#include "bench/native/serial.h"

/// fib(38), 126,491,971 calls that do nothing but spawn, and 12 queens with boards from alloca.
namespace bench_native {

inline constexpr long fib_of = 38;
inline constexpr int rows = 12;

inline void check_fib(benchmark::State& state, long result) {
  static const long expected = serial_fib(fib_of);
  if (result != expected) state.SkipWithError("the result is not the serial one");
}

inline void check_queens(benchmark::State& state, long result) {
  static const long expected = serial_queens(rows);
  if (result != expected) state.SkipWithError("the result is not the serial one");
}

/// Real time, and the CPU time of all threads.
inline void timed(benchmark::internal::Benchmark* b) {
  b->UseRealTime()->MeasureProcessCPUTime()->Unit(benchmark::kMillisecond);
}

inline void threads(benchmark::internal::Benchmark* b) {
  b->ArgName("threads")->Arg(1)->Arg(2)->Apply(timed);
}

}  // namespace bench_native
