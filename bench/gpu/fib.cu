#include "gpu_bench.hpp"
#include "tasks/fib.hpp"

/// fib, every call a task, and beside it the plain recursion on one CPU core.
namespace {

using channels::gpu::stacks;
using tasks::fast_fib;
using tasks::tasks_of_fib;

template <stacks Simplest>
void fib_tasks(benchmark::State& state) {
  const auto n = static_cast<int>(state.range(0));
  static channels::gpu::caller<tasks::fib, Simplest> call(gpu_bench::options());
  for (auto _ : state) {
    if (call({n}) != fast_fib(n)) state.SkipWithError("wrong answer");
  }
  gpu_bench::count_tasks(state, static_cast<double>(tasks_of_fib(n)));
  gpu_bench::describe(state, call.report());
}
BENCHMARK(fib_tasks<stacks::summing>)
    ->Name("fib_tasks")
    ->Arg(1)
    ->Arg(20)
    ->Arg(26)
    ->Arg(30)
    ->Arg(40)
    ->Arg(44)
    ->Arg(48)
    ->Unit(benchmark::kMicrosecond)
    ->UseRealTime();
BENCHMARK(fib_tasks<stacks::lane_private>)
    ->Name("fib_tasks_that_wait")
    ->Arg(20)
    ->Arg(26)
    ->Arg(30)
    ->Arg(40)
    ->Arg(44)
    ->Unit(benchmark::kMicrosecond)
    ->UseRealTime();

BENCHMARK(fib_tasks<stacks::pooled>)
    ->Name("fib_tasks_on_stacks_of_work_groups")
    ->Arg(20)
    ->Arg(26)
    ->Arg(30)
    ->Arg(40)
    ->Unit(benchmark::kMicrosecond)
    ->UseRealTime();

void fib_serial_on_cpu(benchmark::State& state) {
  const auto n = static_cast<int>(state.range(0));
  for (auto _ : state) {
    if (tasks::serial_fib(n) != fast_fib(n)) state.SkipWithError("wrong answer");
  }
  gpu_bench::count_tasks(state, static_cast<double>(tasks_of_fib(n)));
}
BENCHMARK(fib_serial_on_cpu)->Arg(20)->Arg(30)->Arg(40)->Unit(benchmark::kMicrosecond);

/// On one GPU and on several.
void fib_gpus(benchmark::State& state) {
  const auto n = static_cast<int>(state.range(0));
  const auto s = gpu_bench::on_gpus(state, state.range(1));
  if (!s) return;
  channels::gpu::caller<tasks::fib> call(*s);
  for (auto _ : state) {
    if (call({n}) != fast_fib(n)) state.SkipWithError("wrong answer");
  }
  gpu_bench::count_tasks(state, static_cast<double>(tasks_of_fib(n)));
  gpu_bench::describe(state, call.report());
  gpu_bench::describe_gpus(state, call.report());
}
BENCHMARK(fib_gpus)
    ->ArgNames({"fib", "gpus"})
    ->ArgsProduct({{20, 30, 40, 44, 48}, {1, 2, 4}})
    ->Unit(benchmark::kMicrosecond)
    ->UseRealTime();

/// From one unit to all of them.
template <stacks Simplest>
void fib_units(benchmark::State& state) {
  channels::settings s = gpu_bench::options();
  const auto n = static_cast<int>(state.range(0));
  s.compute_units = static_cast<unsigned>(state.range(1));
  channels::gpu::caller<tasks::fib, Simplest> call(s);
  for (auto _ : state) {
    if (call({n}) != fast_fib(n)) state.SkipWithError("wrong answer");
  }
  gpu_bench::count_tasks(state, static_cast<double>(tasks_of_fib(n)));
}
BENCHMARK(fib_units<stacks::summing>)
    ->Name("fib_units")
    ->ArgNames({"fib", "units"})
    ->ArgsProduct({{44, 48}, {1, 2, 4, 8, 16, 32, 64, 132}})
    ->Unit(benchmark::kMicrosecond)
    ->UseRealTime();
BENCHMARK(fib_units<stacks::lane_private>)
    ->Name("fib_units_that_wait")
    ->ArgNames({"fib", "units"})
    ->ArgsProduct({{44}, {1, 132}})
    ->Unit(benchmark::kMicrosecond)
    ->UseRealTime();

}  // namespace
