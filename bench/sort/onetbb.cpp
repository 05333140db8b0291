#include <oneapi/tbb/parallel_invoke.h>  // parallel_invoke
#include <oneapi/tbb/task_arena.h>       // task_arena

#include "bench/sort/config.hpp"

namespace bench_sort {
namespace {

using oneapi::tbb::parallel_invoke;

void merge(const tasks::merge::arguments& args) {
  if (args.a.size() + args.b.size() <= args.cutoff) {
    std::merge(args.a.begin, args.a.end, args.b.begin, args.b.end, args.to);
    return;
  }
  const tasks::merge::halves h = tasks::merge::split(args);
  parallel_invoke([&] { merge(h.low); }, [&] { merge(h.high); });
}

void sort(const tasks::sort::arguments& args) {
  if (args.size <= args.cutoffs.sort) {
    std::sort(args.data, args.data + args.size);
    return;
  }
  const auto quarter = [&](int i) { sort(tasks::sort::quarter(args, i)); };
  parallel_invoke([&] { quarter(0); }, [&] { quarter(1); }, [&] { quarter(2); },
                  [&] { quarter(3); });
  parallel_invoke([&] { merge(tasks::sort::merge_quarters(args, 0)); },
                  [&] { merge(tasks::sort::merge_quarters(args, 2)); });
  merge(tasks::sort::merge_halves(args));
}

void onetbb(benchmark::State& state) {
  oneapi::tbb::task_arena arena(bench::threads_of(state));
  const tasks::sort_cutoffs cutoffs{state.range(1), state.range(1)};
  measure(state, [&](int* data, int* scratch) {
    arena.execute([&] { sort({data, scratch, static_cast<std::ptrdiff_t>(size), cutoffs}); });
  });
}
BENCHMARK(onetbb)->Apply(threads_and_cutoffs);

}  // namespace
}  // namespace bench_sort
