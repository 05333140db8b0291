#pragma once

#include "bench/competitors.hpp"
#include "examples/tasks/queens.hpp"

/// 13 queens (paper, table 3), with a task for every placement and for all but the last four rows.
namespace bench_queens {

inline constexpr unsigned rows = 13;

inline void check(benchmark::State& state, long result) {
  static const long expected = tasks::serial_queens(tasks::empty_board(rows));
  bench::check(state, result == expected);
}

/// With one and two threads, and with the paper's base case and none; real time and the CPU time of
/// all threads.
inline void threads_and_cutoffs(benchmark::internal::Benchmark* b) {
  b->ArgNames({"threads", "cutoff"})->ArgsProduct({{1, 2}, {0, 4}})->Apply(bench::timed);
}

}  // namespace bench_queens
