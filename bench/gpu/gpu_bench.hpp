#pragma once

#include <benchmark/benchmark.h>

#include <cstdint>   // fixed-width integers
#include <optional>  // nullopt, optional
#include <string>    // to_string

#include "channels/gpu/scheduler/caller.hpp"

/// What the GPU benchmarks share.
namespace gpu_bench {

inline channels::settings options() {
  channels::settings s = channels::settings::from_environment();
  // One GPU: benchmarks of several say so (on_gpus).
  if (s.devices.empty()) s.devices = "1";
  s.memory = std::uint64_t{1} << 30U;
  s.timeout = std::chrono::seconds(5);
  return s;
}

/// The options of a run on `count` GPUs. Nothing, and the benchmark is skipped, if this process
/// sees fewer that reach each other's memory.
inline std::optional<channels::settings> on_gpus(benchmark::State& state, std::int64_t count) {
  channels::settings s = options();
  s.devices = std::to_string(count);
  s.timeout = std::chrono::seconds(60);
  try {
    (void)channels::gpu::detail::chosen_gpus(s.devices);
    return s;
  } catch (const channels::error& e) {
    state.SkipWithError(e.what());
    return std::nullopt;
  }
}

/// Share of the tasks that the first GPU ran, and tasks that travelled, in each run.
inline void describe_gpus(benchmark::State& state, const channels::gpu::run_report& report) {
  std::uint64_t taken = 0;
  for (const auto& one : report.gpus) taken += one.taken;
  const auto runs = static_cast<double>(state.iterations());
  state.counters["on_first"] =
      static_cast<double>(report.gpus[0].tasks) / static_cast<double>(report.tasks);
  state.counters["gpu_gifts"] = static_cast<double>(report.gpu_gifts) / runs;
  state.counters["travelled"] = static_cast<double>(taken) / runs;
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
