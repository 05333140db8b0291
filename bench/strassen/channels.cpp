#include "bench/strassen/config.hpp"
#include "channels/call.hpp"
#include "channels/cilk/spawn.hpp"
#include "channels/depth_first.hpp"

namespace bench_strassen {
namespace {

void channels_tasks(benchmark::State& state) {
  channels::runtime runtime(bench::settings_of(state));
  measure(state, state.range(1), [&](const tasks::strassen::arguments& args) {
    channels::call<tasks::strassen>(runtime, args);
  });
}
BENCHMARK(channels_tasks)->Apply(threads_and_cutoffs);

void channels_depth_first(benchmark::State& state) {
  channels::cilk::use(bench::settings_of(state));
  measure(state, state.range(1), [&](const tasks::strassen::arguments& args) {
    channels::call_depth_first<tasks::strassen>(args);
  });
}
BENCHMARK(channels_depth_first)->Apply(threads_and_cutoffs);

}  // namespace
}  // namespace bench_strassen
