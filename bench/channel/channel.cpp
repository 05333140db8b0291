// Elements through talloc, enq, deq and tfree: one at a time, or many with one atomic each (the
// paper's figure 17), from a single thread or from two.

#include <thread>  // yield

#include "bench/channel/config.hpp"

namespace channels::bench {
namespace {

template <class T>
void fill(channel<T>& c, const typename channel<T>::reservation& r, std::uint64_t first) {
  for (std::uint32_t i = 0; i < r.count; ++i) c.set(r, i, {first + i});
}
template <class T>
std::uint64_t sum_of(const channel<T>& c, const typename channel<T>::reservation& r) {
  std::uint64_t sum = 0;
  for (std::uint32_t i = 0; i < r.count; ++i) sum += c.get(r, i).value;
  return sum;
}

/// Each thread produces and consumes, all of them on one channel. What it takes may be another's.
template <class T>
void cycle(benchmark::State& state) {
  static shared<channel<T>> all;
  all.prepare(state, elements);
  const auto at_once = static_cast<std::uint32_t>(state.range(0));
  std::uint64_t next = 0;
  std::uint64_t sum = 0;
  for (auto _ : state) {
    channel<T>& c = *all.queue;
    auto r = c.talloc(at_once);
    while (!r) {
      std::this_thread::yield();
      r = c.talloc(at_once);
    }
    fill(c, r, next);
    next += r.count;
    c.enq(r);
    // There is one run for each that calls, even if another's has to come first.
    auto taken = c.deq();
    while (!taken) {
      std::this_thread::yield();
      taken = c.deq();
    }
    sum += sum_of(c, taken);
    c.tfree(taken);
  }
  all.finish(state, sum, sum_below(next) * static_cast<std::uint64_t>(state.threads()));
  state.SetItemsProcessed(static_cast<std::int64_t>(next));
}

/// One thread produces, the other consumes.
template <class T>
void hand_over(benchmark::State& state) {
  static shared<channel<T>> all;
  all.prepare(state, elements);
  const auto at_once = static_cast<std::uint32_t>(state.range(0));
  const bool producer = state.thread_index() == 0;
  std::uint64_t moved = 0;
  std::uint64_t sum = 0;
  for (auto _ : state) {
    channel<T>& c = *all.queue;
    auto r = producer ? c.talloc(at_once) : c.deq();
    while (!r) {
      std::this_thread::yield();
      r = producer ? c.talloc(at_once) : c.deq();
    }
    if (producer) {
      fill(c, r, moved);
      c.enq(r);
    } else {
      sum += sum_of(c, r);
      c.tfree(r);
    }
    moved += r.count;
  }
  all.finish(state, sum, sum_below(moved));
  if (!producer) state.SetItemsProcessed(static_cast<std::int64_t>(moved));
}

BENCHMARK(cycle<number>)->Apply(amortisation);
BENCHMARK(cycle<padded_number>)->Apply(amortisation);
BENCHMARK(cycle<number>)->Apply(amortisation)->Threads(2)->UseRealTime();
BENCHMARK(hand_over<number>)->Apply(amortisation)->Threads(2)->UseRealTime();
BENCHMARK(hand_over<padded_number>)->Apply(amortisation)->Threads(2)->UseRealTime();

}  // namespace
}  // namespace channels::bench
