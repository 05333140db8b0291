#pragma once

#include <algorithm>  // fill
#include <vector>     // vector

#include "bench/competitors.hpp"

/// A product of matrices of so many rows, by halving the longest side down to 32 (examples/corpus/
/// matmul.c): 7,489 tasks, of which 4,096 multiply. Checked against the definition.
///
/// This comes after the program itself, whose names it uses, as its elision or as its tasks.
namespace bench_matmul {
namespace {

constexpr int size = 512;

/// Times `multiply(a, b, c)`, which adds the product of `a` and `b` to `c`, and nothing else.
template <class Multiply>
void measure(benchmark::State& state, const Multiply& multiply) {
  std::vector<double> a(std::size_t{size} * size);
  std::vector<double> b(a.size());
  std::vector<double> c(a.size());
  std::vector<double> expected(a.size());
  init(a.data(), size);
  init(b.data(), size);
  iter_matmul(a.data(), b.data(), expected.data(), size);
  for (auto _ : state) {
    state.PauseTiming();
    std::fill(c.begin(), c.end(), 0);
    state.ResumeTiming();
    multiply(a.data(), b.data(), c.data());
    state.PauseTiming();
    const bool right = maxerror(expected.data(), c.data(), size) < 1e-9;
    state.ResumeTiming();
    bench::check(state, right);
  }
}

}  // namespace
}  // namespace bench_matmul
