#include "channels/gpu.hpp"

#include <filesystem>  // temp_directory_path, remove

#include "gpu_bench.hpp"
#include "tasks/fib.hpp"

/// Tasks through channels on the GPU, with the aggregator on a thread of the host and on the
/// device: how fast they are, and what a dispatch takes.
namespace {

using channels::aggregator_place;
using channels::readiness;

channels::settings through_channels(readiness rule, aggregator_place place) {
  channels::settings s = gpu_bench::options();
  s.device = channels::gpu::device_name;
  s.capacity = 1U << 23U;
  s.batch = 1U << 20U;
  s.memory = std::uint64_t{12} << 30U;
  s.rule = rule;
  s.aggregator = place;
  s.statistics = "1";
  return s;
}

void describe_run(benchmark::State& state, const channels::statistics& run) {
  state.counters["batches"] = static_cast<double>(run.batches);
  state.counters["waiting"] = run.waiting_share;
  state.counters["us/dispatch"] = static_cast<double>(run.run_ns) / 1e3 /
                                  static_cast<double>(std::max<std::uint64_t>(run.batches, 1));
  state.counters["us/decision"] = static_cast<double>(run.device_decide_ns) / 1e3 /
                                  static_cast<double>(std::max<std::uint64_t>(run.batches, 1));
  state.counters["handovers"] = static_cast<double>(run.handovers);
  state.counters["MB"] = static_cast<double>(run.memory_high_water) / 1e6;
}

void call_fib(benchmark::State& state, const channels::settings& how) {
  const auto n = static_cast<int>(state.range(0));
  channels::runtime on(how);
  // Its memory is allocated by the first call.
  (void)channels::call<tasks::fib>(on, {n});
  for (auto _ : state) {
    if (channels::call<tasks::fib>(on, {n}) != tasks::fast_fib(n))
      state.SkipWithError("wrong answer");
  }
  gpu_bench::count_tasks(state, static_cast<double>(tasks::tasks_of_fib(n)));
  describe_run(state, on.last_run());
}

template <readiness Rule, aggregator_place Home>
void fib_through_channels(benchmark::State& state) {
  call_fib(state, through_channels(Rule, Home));
}
BENCHMARK(fib_through_channels<readiness::levelized, aggregator_place::host>)
    ->Name("fib_through_channels/levelized")
    ->Arg(20)
    ->Arg(26)
    ->Arg(30)
    ->Arg(36)
    ->Arg(40)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(fib_through_channels<readiness::counted, aggregator_place::host>)
    ->Name("fib_through_channels/counted")
    ->Arg(20)
    ->Arg(26)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(fib_through_channels<readiness::counted, aggregator_place::device>)
    ->Name("fib_through_channels/counted_aggregator_on_device")
    ->Arg(20)
    ->Arg(26)
    ->Arg(36)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(fib_through_channels<readiness::levelized, aggregator_place::device>)
    ->Name("fib_through_channels/levelized_aggregator_on_device")
    ->Arg(20)
    ->Arg(26)
    ->Arg(30)
    ->Arg(36)
    ->Arg(40)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

/// With room for the widest levels as a whole: one way down and one way up. A channel may take a
/// sixteenth of half of the memory, so of 100 GB these runs use 5 to 18.
template <aggregator_place Home>
void fib_in_ample_memory(benchmark::State& state) {
  channels::settings s = through_channels(readiness::levelized, Home);
  s.capacity = 1U << 26U;
  s.memory = std::uint64_t{100} << 30U;
  try {
    call_fib(state, s);
  } catch (const channels::error& e) {
    state.SkipWithError(e.what());
  }
}
BENCHMARK(fib_in_ample_memory<aggregator_place::host>)
    ->Name("fib_in_ample_memory/levelized")
    ->Arg(36)
    ->Arg(40)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(fib_in_ample_memory<aggregator_place::device>)
    ->Name("fib_in_ample_memory/levelized_aggregator_on_device")
    ->Arg(36)
    ->Arg(40)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

/// What it costs to watch a run: the same calls with a trace or statistics, which are written after
/// the last, and without.
enum class watch : std::uint8_t { nothing, statistics, trace };

template <aggregator_place Home, watch What>
void watched(benchmark::State& state) {
  channels::settings s = through_channels(readiness::levelized, Home);
  s.statistics.clear();
  const auto file = std::filesystem::temp_directory_path() / "channels-bench.watched";
  if (What == watch::trace) s.trace = file.string();
  if (What == watch::statistics) s.statistics = "json:" + file.string();
  {
    channels::runtime on(s);
    constexpr int n = 36;
    (void)channels::call<tasks::fib>(on, {n});
    for (auto _ : state) {
      if (channels::call<tasks::fib>(on, {n}) != tasks::fast_fib(n))
        state.SkipWithError("wrong answer");
    }
  }
  std::filesystem::remove(file);
}
#define CHANNELS_WATCHED(place, name, what)                \
  BENCHMARK(watched<aggregator_place::place, watch::what>) \
      ->Name("watched/aggregator_on_" #place "/" name)     \
      ->Unit(benchmark::kMillisecond)                      \
      ->UseRealTime()
CHANNELS_WATCHED(host, "untraced", nothing);
CHANNELS_WATCHED(host, "statistics", statistics);
CHANNELS_WATCHED(host, "traced", trace);
CHANNELS_WATCHED(device, "untraced", nothing);
CHANNELS_WATCHED(device, "statistics", statistics);
CHANNELS_WATCHED(device, "traced", trace);

struct count_down {
  template <class Lane, class Port>
  CHANNELS_DEVICE channels::outcome operator()(Lane& lane, int n, Port& next, long& count) const {
    count += 1;
    if (n > 1) (void)next.push(n - 1);  // there is room: it is the only element
    return lane.done();
  }
};

/// One element a batch, one batch after the other.
template <aggregator_place Home>
void dispatches(benchmark::State& state) {
  channels::runtime on(through_channels(readiness::levelized, Home));
  channels::graph g(on, "countdown");
  const auto numbers = g.channel<int>("numbers", 1024);
  const auto count = g.accumulator<long>();
  g.kernel("count", numbers, count_down{}, channels::up_to(1, numbers), count);
  const auto run = [&] {
    g.push(numbers, static_cast<int>(state.range(0)));
    g.execute();
    g.wait();
  };
  run();
  for (auto _ : state) {
    run();
    if (count.value() != state.range(0)) state.SkipWithError("wrong count");
  }
  describe_run(state, g.counted());
}
BENCHMARK(dispatches<aggregator_place::host>)
    ->Name("dispatches/aggregator_on_host")
    ->Arg(1000)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(dispatches<aggregator_place::device>)
    ->Name("dispatches/aggregator_on_device")
    ->Arg(1000)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace
