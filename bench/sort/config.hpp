#pragma once

#include <algorithm>  // sort
#include <random>     // mt19937
#include <vector>     // vector

#include "bench/competitors.hpp"
#include "examples/tasks/sort.hpp"

/// Sorts 1,000,000 elements (paper, table 3), 64 at a time as in the paper, or 2048.
namespace bench_sort {

inline constexpr std::size_t size = 1'000'000;

inline const std::vector<int>& unsorted() {
  static const std::vector<int> values = [] {
    std::mt19937 random(1);
    std::vector<int> v(size);
    for (int& x : v) x = static_cast<int>(random());
    return v;
  }();
  return values;
}

/// Times `sort(data, scratch)`, and nothing else.
template <class Sort>
void measure(benchmark::State& state, const Sort& sort) {
  static const std::vector<int> expected = [] {
    std::vector<int> v = unsorted();
    std::sort(v.begin(), v.end());
    return v;
  }();
  std::vector<int> data;
  std::vector<int> scratch(size);
  for (auto _ : state) {
    state.PauseTiming();
    data = unsorted();
    state.ResumeTiming();
    sort(data.data(), scratch.data());
    state.PauseTiming();
    const bool right = data == expected;
    state.ResumeTiming();
    bench::check(state, right);
  }
}

/// With one and two threads; real time and the CPU time of all threads.
inline void threads_and_cutoffs(benchmark::internal::Benchmark* b) {
  b->ArgNames({"threads", "cutoff"})->ArgsProduct({{1, 2}, {64, 2048}})->Apply(bench::timed);
}

}  // namespace bench_sort
