#include "bench/elision.hpp"
// What cilk2chan makes of the program.
#define main tasks_main
#include <tasks.hpp>
#undef main
#undef f

#include "bench/heat/cilk.h"
#include "bench/heat/config.hpp"
#include "channels/call.hpp"
#include "channels/cilk/spawn.hpp"
#include "channels/depth_first.hpp"

namespace bench_heat {
namespace {

void channels_tasks(benchmark::State& state) {
  channels::runtime runtime(bench::settings_of(state));
  measure(state, [&](double** into, double** from, double t) {
    return channels::call<compstripe_task>(runtime, {into, from, 0, columns, t});
  });
}
BENCHMARK(channels_tasks)->Apply(bench::threads);

void channels_depth_first(benchmark::State& state) {
  channels::cilk::use(bench::settings_of(state));
  measure(state, [](double** into, double** from, double t) {
    return channels::call_depth_first<compstripe_task>({into, from, 0, columns, t});
  });
}
BENCHMARK(channels_depth_first)->Apply(bench::threads);

void channels_cilk(benchmark::State& state) {
  channels::cilk::use(bench::settings_of(state));
  bench_cilk_set_up(columns, rows, steps);
  measure(state, bench_cilk_step);
}
BENCHMARK(channels_cilk)->Apply(bench::threads);

}  // namespace
}  // namespace bench_heat
