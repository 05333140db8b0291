#include "bench/openmp.hpp"

#include "bench/sort/config.hpp"

namespace bench_sort {
namespace {

void merge(const tasks::merge::arguments& args) {
  if (args.a.size() + args.b.size() <= args.cutoff) {
    std::merge(args.a.begin, args.a.end, args.b.begin, args.b.end, args.to);
    return;
  }
  const tasks::merge::halves h = tasks::merge::split(args);
#pragma omp task shared(h)
  merge(h.low);
  merge(h.high);
#pragma omp taskwait
}

void sort(const tasks::sort::arguments& args) {
  if (args.size <= args.cutoffs.sort) {
    std::sort(args.data, args.data + args.size);
    return;
  }
  for (int i = 0; i < 3; ++i) {
#pragma omp task shared(args)
    sort(tasks::sort::quarter(args, i));
  }
  sort(tasks::sort::quarter(args, 3));
#pragma omp taskwait
#pragma omp task shared(args)
  merge(tasks::sort::merge_quarters(args, 0));
  merge(tasks::sort::merge_quarters(args, 2));
#pragma omp taskwait
  merge(tasks::sort::merge_halves(args));
}

void openmp(benchmark::State& state) {
  const tasks::sort_cutoffs cutoffs{state.range(1), state.range(1)};
  measure(state, [&](int* data, int* scratch) {
    bench::with_team(bench::threads_of(state),
                     [&] { sort({data, scratch, static_cast<std::ptrdiff_t>(size), cutoffs}); });
  });
}
BENCHMARK(openmp)->Apply(threads_and_cutoffs);

}  // namespace
}  // namespace bench_sort
