#include "bench/openmp.hpp"

#include "bench/strassen/config.hpp"

namespace bench_strassen {
namespace {

// The last child runs here.
void strassen(const tasks::strassen::arguments& args) {
  if (args.size <= args.cutoff) {
    tasks::multiply_add(args.a, args.b, args.c, args.size);
    return;
  }
  for (int k = 0; k < 2; ++k) {
    for (int child = 0; child < 3; ++child) {
#pragma omp task shared(args)
      strassen(tasks::strassen::product(args, child / 2, child % 2, k));
    }
    strassen(tasks::strassen::product(args, 1, 1, k));
#pragma omp taskwait
  }
}

void openmp(benchmark::State& state) {
  measure(state, state.range(1), [&](const tasks::strassen::arguments& args) {
    bench::with_team(bench::threads_of(state), [&] { strassen(args); });
  });
}
BENCHMARK(openmp)->Apply(threads_and_cutoffs);

}  // namespace
}  // namespace bench_strassen
