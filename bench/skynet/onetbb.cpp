#include <oneapi/tbb/task_arena.h>  // task_arena
#include <oneapi/tbb/task_group.h>  // task_group

#include "bench/skynet/config.hpp"

namespace bench_skynet {
namespace {

// The last child runs here.
long skynet(long first, long below) {
  if (below == 1) return first;
  constexpr int children = 10;
  long numbers[children - 1];
  const long each = below / children;
  oneapi::tbb::task_group group;
  for (int i = 0; i < children - 1; ++i) {
    group.run([&number = numbers[i], first, each, i] { number = skynet(first + i * each, each); });
  }
  long sum = skynet(first + (children - 1) * each, each);
  group.wait();
  for (const long number : numbers) sum += number;
  return sum;
}

void onetbb(benchmark::State& state) {
  oneapi::tbb::task_arena arena(bench::threads_of(state));
  for (auto _ : state) check(state, arena.execute([] { return skynet(0, leaves); }));
}
BENCHMARK(onetbb)->Apply(bench::threads);

}  // namespace
}  // namespace bench_skynet
