#pragma once

#include <random>  // mt19937
#include <vector>  // vector

#include "bench/competitors.hpp"
#include "examples/tasks/strassen.hpp"

/// A product of 512 rows (paper, table 3), down to the paper's base case of 16 rows, and to 64.
namespace bench_strassen {

inline constexpr std::ptrdiff_t size = 512;

/// A cache line of a matrix: where the allocator puts one must not decide how fast it is.
struct alignas(64) line {
  float elements[tasks::block_unit];
  bool operator==(const line&) const = default;
};
using matrix = std::vector<line>;

inline constexpr std::size_t lines = size * size / tasks::block_unit;

inline tasks::block whole(matrix& m) { return {m.front().elements, size}; }

/// Small integers: all sums are exact.
inline matrix random_matrix(unsigned seed) {
  std::mt19937 random(seed);
  matrix m(lines);
  for (line& l : m) {
    for (float& x : l.elements) x = static_cast<float>(random() % 8);
  }
  return m;
}

/// Times `multiply(arguments)`, and nothing else.
template <class Multiply>
void measure(benchmark::State& state, std::ptrdiff_t cutoff, const Multiply& multiply) {
  static matrix a = random_matrix(1);
  static matrix b = random_matrix(2);
  static const matrix expected = [] {
    matrix c(lines);
    tasks::multiply_add(whole(a), whole(b), whole(c), size);
    return c;
  }();
  matrix c(lines);
  const tasks::strassen::arguments args{whole(a), whole(b), whole(c), size, cutoff};
  for (auto _ : state) {
    state.PauseTiming();
    c.assign(lines, {});
    state.ResumeTiming();
    multiply(args);
    state.PauseTiming();
    const bool right = c == expected;
    state.ResumeTiming();
    bench::check(state, right);
  }
}

/// With one and two threads; real time and the CPU time of all threads.
inline void threads_and_cutoffs(benchmark::internal::Benchmark* b) {
  b->ArgNames({"threads", "cutoff"})->ArgsProduct({{1, 2}, {16, 64}})->Apply(bench::timed);
}

}  // namespace bench_strassen
