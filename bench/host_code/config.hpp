#pragma once

#include "bench/competitors.hpp"
#include "bench/host_code/serial.h"

/// fib(38), 126,491,971 calls that do nothing but spawn, and 12 queens with boards from alloca.
namespace bench_host_code {

inline constexpr long fib_of = 38;
inline constexpr int rows = 12;

inline void check_fib(benchmark::State& state, long result) {
  static const long expected = serial_fib(fib_of);
  bench::check(state, result == expected);
}

inline void check_queens(benchmark::State& state, long result) {
  static const long expected = serial_queens(rows);
  bench::check(state, result == expected);
}

}  // namespace bench_host_code
