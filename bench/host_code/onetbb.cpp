#include <oneapi/tbb/task_arena.h>  // task_arena
#include <oneapi/tbb/task_group.h>  // task_group

#include <algorithm>  // copy_n
#include <array>      // array

#include "bench/host_code/config.hpp"

namespace bench_host_code {
namespace {

using oneapi::tbb::task_group;

/// As in channels: another thread may run one call, this thread runs the other.
long fib(long n) {
  if (n < 2) return n;
  long x = 0;
  task_group children;
  children.run([&x, n] { x = fib(n - 1); });
  const long y = fib(n - 2);
  children.wait();
  return x + y;
}

void onetbb_fib(benchmark::State& state) {
  oneapi::tbb::task_arena arena(bench::threads_of(state));
  for (auto _ : state) check_fib(state, arena.execute([] { return fib(fib_of); }));
}
BENCHMARK(onetbb_fib)->Apply(bench::threads);

using board = std::array<char, rows>;

bool safe(const board& b, int row, int column) {
  for (int i = 0; i < row; ++i) {
    const int apart = b[static_cast<std::size_t>(i)] - column;
    if (apart == 0 || apart == row - i || apart == i - row) return false;
  }
  return true;
}

long place(int row, const board& b) {
  if (row == rows) return 1;
  std::array<long, rows> counts{};
  task_group children;
  for (int column = 0; column < rows; ++column) {
    if (!safe(b, row, column)) continue;
    board next = b;
    next[static_cast<std::size_t>(row)] = static_cast<char>(column);
    children.run([&count = counts[static_cast<std::size_t>(column)], row, next] {
      count = place(row + 1, next);
    });
  }
  children.wait();
  long sum = 0;
  for (const long c : counts) sum += c;
  return sum;
}

void onetbb_queens(benchmark::State& state) {
  oneapi::tbb::task_arena arena(bench::threads_of(state));
  for (auto _ : state) check_queens(state, arena.execute([] { return place(0, board{}); }));
}
BENCHMARK(onetbb_queens)->Apply(bench::threads);

}  // namespace
}  // namespace bench_host_code
