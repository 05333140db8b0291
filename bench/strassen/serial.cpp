#include "bench/strassen/config.hpp"

namespace bench_strassen {
namespace {

// The same algorithm without tasks.
void strassen(const tasks::strassen::arguments& args) {
  if (args.size <= args.cutoff) {
    tasks::multiply_add(args.a, args.b, args.c, args.size);
    return;
  }
  for (int k = 0; k < 2; ++k) {
    for (int i = 0; i < 2; ++i) {
      for (int j = 0; j < 2; ++j) strassen(tasks::strassen::product(args, i, j, k));
    }
  }
}

void serial(benchmark::State& state) { measure(state, state.range(0), strassen); }
BENCHMARK(serial)->ArgName("cutoff")->Arg(16)->Arg(64)->Apply(bench::timed);

}  // namespace
}  // namespace bench_strassen
