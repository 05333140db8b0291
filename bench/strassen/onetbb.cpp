#include <oneapi/tbb/task_arena.h>  // task_arena
#include <oneapi/tbb/task_group.h>  // task_group

#include "bench/strassen/config.hpp"

namespace bench_strassen {
namespace {

// The last child runs here; parallel_invoke, which would read better, is slower.
void strassen(const tasks::strassen::arguments& args) {
  if (args.size <= args.cutoff) {
    tasks::multiply_add(args.a, args.b, args.c, args.size);
    return;
  }
  for (int k = 0; k < 2; ++k) {
    oneapi::tbb::task_group children;
    const auto product = [&args, k](int i, int j) {
      strassen(tasks::strassen::product(args, i, j, k));
    };
    children.run([&] { product(0, 0); });
    children.run([&] { product(0, 1); });
    children.run([&] { product(1, 0); });
    product(1, 1);
    children.wait();
  }
}

void onetbb(benchmark::State& state) {
  oneapi::tbb::task_arena arena(bench::threads_of(state));
  measure(state, state.range(1),
          [&](const tasks::strassen::arguments& args) { arena.execute([&] { strassen(args); }); });
}
BENCHMARK(onetbb)->Apply(threads_and_cutoffs);

}  // namespace
}  // namespace bench_strassen
