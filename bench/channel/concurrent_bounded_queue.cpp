// The same through oneTBB's bounded queue, which takes one element at a time.

#include <oneapi/tbb/concurrent_queue.h>

#include "bench/channel/config.hpp"

namespace channels::bench {
namespace {

struct queue : tbb::concurrent_bounded_queue<number> {
  queue() { set_capacity(elements); }
};

void tbb_cycle(benchmark::State& state) {
  static shared<queue> all;
  all.prepare(state);
  const auto at_once = static_cast<std::uint32_t>(state.range(0));
  std::uint64_t next = 0;
  std::uint64_t sum = 0;
  number n{};
  for (auto _ : state) {
    for (std::uint32_t i = 0; i < at_once; ++i) all.queue->push({next++});
    for (std::uint32_t i = 0; i < at_once; ++i) {
      all.queue->pop(n);
      sum += n.value;
    }
  }
  all.finish(state, sum, sum_below(next) * static_cast<std::uint64_t>(state.threads()));
  state.SetItemsProcessed(static_cast<std::int64_t>(next));
}

void tbb_hand_over(benchmark::State& state) {
  static shared<queue> all;
  all.prepare(state);
  const bool producer = state.thread_index() == 0;
  std::uint64_t moved = 0;
  std::uint64_t sum = 0;
  number n{};
  for (auto _ : state) {
    if (producer) {
      all.queue->push({moved});
    } else {
      all.queue->pop(n);
      sum += n.value;
    }
    ++moved;
  }
  all.finish(state, sum, sum_below(moved));
  if (!producer) state.SetItemsProcessed(static_cast<std::int64_t>(moved));
}

BENCHMARK(tbb_cycle)->ArgName("at_once")->Arg(1)->Arg(64);
BENCHMARK(tbb_cycle)->ArgName("at_once")->Arg(1)->Arg(64)->Threads(2)->UseRealTime();
BENCHMARK(tbb_hand_over)->Threads(2)->UseRealTime();

}  // namespace
}  // namespace channels::bench
