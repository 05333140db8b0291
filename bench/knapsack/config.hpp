#pragma once

#include "bench/competitors.hpp"

/// Branch and bound over so many items (examples/corpus/knapsack.c). Which branches are cut depends
/// on what was found before: two threads, and breadth-first order, search another part of the tree.
/// The best value is checked against that of a table over capacities.
///
/// This comes after the program itself, whose names it uses, as its elision or as its tasks.
namespace bench_knapsack {
namespace {

constexpr int items = 48;

/// Times `search(items, capacity)` and nothing else. It returns the value of the best solution that
/// it has not cut, unless another had been found before: then `best_so_far` is that.
template <class Search>
void measure(benchmark::State& state, const Search& search) {
  item all[items];
  const int capacity = make_items(all, items);
  const int best = ::check(all, items, capacity);
  for (auto _ : state) {
    best_so_far = -1;
    const int found = search(all, capacity);
    bench::check(state, (found > best_so_far ? found : best_so_far) == best);
  }
}

}  // namespace
}  // namespace bench_knapsack
