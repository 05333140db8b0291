#pragma once

#include <benchmark/benchmark.h>

#include "channels/gpu/scheduler/caller.hpp"

/// What the GPU benchmarks share.
namespace gpu_bench {

inline channels::settings options() {
  channels::settings s = channels::settings::from_environment();
  s.memory = std::uint64_t{1} << 30U;
  s.timeout = std::chrono::seconds(5);
  return s;
}

inline void count_tasks(benchmark::State& state, double tasks) {
  state.counters["tasks/s"] =
      benchmark::Counter(tasks, benchmark::Counter::kIsIterationInvariantRate);
}

inline void describe(benchmark::State& state, const channels::gpu::run_report& report) {
  state.counters["lanes"] = report.lanes;
  state.counters["lanes_active"] = report.lanes_active;
  state.counters["MB"] = static_cast<double>(report.memory_used) / 1e6;
  state.counters["gifts"] = static_cast<double>(report.gifts);
  state.counters["turns"] = static_cast<double>(report.turns);
}

}  // namespace gpu_bench
