#pragma once

#include <benchmark/benchmark.h>  // State

#include "channels/settings.hpp"

/// What competitors of all workloads share.
namespace bench {

/// Real time, and the CPU time of all threads.
inline void timed(benchmark::internal::Benchmark* b) {
  b->UseRealTime()->MeasureProcessCPUTime()->Unit(benchmark::kMillisecond);
}

/// With one and two threads, or compute units: the first argument.
inline void threads(benchmark::internal::Benchmark* b) {
  b->ArgName("threads")->Arg(1)->Arg(2)->Apply(timed);
}

inline int threads_of(const benchmark::State& state) { return static_cast<int>(state.range(0)); }

/// The settings of the environment, with as many compute units as the benchmark has threads.
inline channels::settings settings_of(const benchmark::State& state) {
  channels::settings options = channels::settings::from_environment();
  options.compute_units = static_cast<unsigned>(threads_of(state));
  return options;
}

/// Says so if the answer of one run is not the serial program's.
inline void check(benchmark::State& state, bool right) {
  if (!right) state.SkipWithError("the result is not the serial one");
}

}  // namespace bench
