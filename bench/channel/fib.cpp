// The paper's figure 6 through one channel, with the reservations of its figure 17: lanes that
// reserve and enqueue for themselves, for their wavefront, or for a work-group of several.

#include <algorithm>  // count_if, max, min
#include <vector>     // vector

#include "bench/channel/config.hpp"
#include "examples/tasks/fib.hpp"

namespace channels::bench {
namespace {

/// The paper's size (table 3), and as wide as its tree.
constexpr int n = 24;
constexpr std::uint32_t width = 1U << 17U;

/// Takes `batch` elements or more, as a dispatch does, and lets each group of `lanes` of them
/// reserve and enqueue together. One thread: what is measured is the work that this takes, not how
/// threads meet.
template <class T>
void fib_graph(benchmark::State& state) {
  using run = typename channel<T>::reservation;
  const auto lanes = static_cast<std::size_t>(state.range(0));
  const std::size_t batch = std::max<std::size_t>(lanes, 64);
  std::vector<std::uint64_t> values;
  std::vector<run> taken;
  std::uint64_t reservations = 0;
  for (auto _ : state) {
    channel<T> c(width);
    const run first = c.talloc(1);
    c.set(first, 0, {n});
    c.enq(first);
    std::uint64_t leaves = 0;
    reservations = 0;
    for (;;) {
      values.clear();
      taken.clear();
      while (values.size() < batch) {
        const run r = c.deq();
        if (!r) break;
        for (std::uint32_t i = 0; i < r.count; ++i) values.push_back(c.get(r, i).value);
        taken.push_back(r);
      }
      if (values.empty()) break;
      for (std::size_t begin = 0; begin < values.size(); begin += lanes) {
        const auto at = values.begin() + static_cast<std::ptrdiff_t>(begin);
        const auto end = at + static_cast<std::ptrdiff_t>(std::min(lanes, values.size() - begin));
        const auto spawning =
            static_cast<std::uint32_t>(std::count_if(at, end, [](auto v) { return v > 2; }));
        leaves += static_cast<std::uint64_t>(end - at) - spawning;
        if (spawning == 0) continue;
        const run r = c.talloc(2 * spawning);
        ++reservations;
        std::uint32_t next = 0;  // the prefix sum of figure 5
        for (auto v = at; v != end; ++v) {
          if (*v <= 2) continue;
          c.set(r, next++, {*v - 1});
          c.set(r, next++, {*v - 2});
        }
        c.enq(r);
      }
      for (const run& r : taken) c.tfree(r);
    }
    check(state, leaves, static_cast<std::uint64_t>(tasks::fast_fib(n)));
  }
  state.counters["reservations"] = static_cast<double>(reservations);
  state.SetItemsProcessed(state.iterations() *
                          static_cast<std::int64_t>(2 * tasks::fast_fib(n) - 1));
}
BENCHMARK(fib_graph<number>)->ArgName("lanes")->Arg(1)->Arg(64)->Arg(256)->Arg(4096);
BENCHMARK(fib_graph<padded_number>)->ArgName("lanes")->Arg(1)->Arg(64)->Arg(256)->Arg(4096);

}  // namespace
}  // namespace channels::bench
