#include "bench/elision.hpp"
// What cilk2chan makes of the program.
#define main tasks_main
#include <tasks.hpp>
#undef main

#include "bench/matmul/cilk.h"
#include "bench/matmul/config.hpp"
#include "channels/call.hpp"
#include "channels/cilk/spawn.hpp"
#include "channels/depth_first.hpp"

namespace bench_matmul {
namespace {

void channels_tasks(benchmark::State& state) {
  channels::runtime runtime(bench::settings_of(state));
  measure(state, [&](double* a, double* b, double* c) {
    channels::call<rec_matmul_task>(runtime, {a, b, c, size, size, size, size});
  });
}
BENCHMARK(channels_tasks)->Apply(bench::threads);

void channels_depth_first(benchmark::State& state) {
  channels::cilk::use(bench::settings_of(state));
  measure(state, [](double* a, double* b, double* c) {
    channels::call_depth_first<rec_matmul_task>({a, b, c, size, size, size, size});
  });
}
BENCHMARK(channels_depth_first)->Apply(bench::threads);

void channels_cilk(benchmark::State& state) {
  channels::cilk::use(bench::settings_of(state));
  measure(state, [](double* a, double* b, double* c) { bench_cilk_matmul(a, b, c, size); });
}
BENCHMARK(channels_cilk)->Apply(bench::threads);

}  // namespace
}  // namespace bench_matmul
