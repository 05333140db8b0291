#pragma once

#include "bench/competitors.hpp"

/// A million leaves below six levels of ten children each (examples/corpus/skynet.c): 1,111,111
/// tasks that do nothing.
namespace bench_skynet {

inline constexpr long leaves = 1'000'000;

inline void check(benchmark::State& state, long sum) {
  bench::check(state, sum == leaves * (leaves - 1) / 2);
}

}  // namespace bench_skynet
