#include "bench/sort/config.hpp"

namespace bench_sort {
namespace {

void standard_sort(benchmark::State& state) {
  measure(state, [](int* data, int* /*scratch*/) { std::sort(data, data + size); });
}
BENCHMARK(standard_sort)->Apply(bench::timed);

// The same algorithm without tasks.
void merge(const tasks::merge::arguments& args) {
  if (args.a.size() + args.b.size() <= args.cutoff) {
    std::merge(args.a.begin, args.a.end, args.b.begin, args.b.end, args.to);
    return;
  }
  const auto [low, high] = tasks::merge::split(args);
  merge(low);
  merge(high);
}
void sort(const tasks::sort::arguments& args) {
  if (args.size <= args.cutoffs.sort) {
    std::sort(args.data, args.data + args.size);
    return;
  }
  for (int i = 0; i < 4; ++i) sort(tasks::sort::quarter(args, i));
  merge(tasks::sort::merge_quarters(args, 0));
  merge(tasks::sort::merge_quarters(args, 2));
  merge(tasks::sort::merge_halves(args));
}

void serial(benchmark::State& state) {
  const tasks::sort_cutoffs cutoffs{state.range(0), state.range(0)};
  measure(state, [&](int* data, int* scratch) {
    sort({data, scratch, static_cast<std::ptrdiff_t>(size), cutoffs});
  });
}
BENCHMARK(serial)->ArgName("cutoff")->Arg(64)->Arg(2048)->Apply(bench::timed);

}  // namespace
}  // namespace bench_sort
