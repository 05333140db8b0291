#include <oneapi/tbb/task_arena.h>  // task_arena
#include <oneapi/tbb/task_group.h>  // task_group

#include "bench/fib/config.hpp"

namespace bench_fib {
namespace {

using oneapi::tbb::task_group;

/// As in channels: every call is a task.
long spawn_both(int i) {
  if (i < 2) return i;
  long x = 0;
  long y = 0;
  task_group children;
  children.run([&x, i] { x = spawn_both(i - 1); });
  children.run([&y, i] { y = spawn_both(i - 2); });
  children.wait();
  return x + y;
}

/// One call is a task and the other is made here: half the tasks.
long spawn_one(int i) {
  if (i < 2) return i;
  long x = 0;
  task_group children;
  children.run([&x, i] { x = spawn_one(i - 1); });
  const long y = spawn_one(i - 2);
  children.wait();
  return x + y;
}

void onetbb(benchmark::State& state, long (*fib)(int)) {
  oneapi::tbb::task_arena arena(bench::threads_of(state));
  for (auto _ : state) check(state, arena.execute([&] { return fib(n); }));
  count_calls(state);
}
BENCHMARK_CAPTURE(onetbb, spawn_both, spawn_both)->Apply(bench::threads);
BENCHMARK_CAPTURE(onetbb, spawn_one, spawn_one)->Apply(bench::threads);

}  // namespace
}  // namespace bench_fib
