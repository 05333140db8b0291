#include "bench/openmp.hpp"

#include "bench/queens/config.hpp"

namespace bench_queens {
namespace {

// The last child runs here, like the second call of fib.
long queens(const tasks::chess_board& board, int cutoff) {
  if (board.rows_left() <= cutoff) return tasks::serial_queens(board);
  if (board.full()) return 1;
  std::uint32_t safe = board.safe();
  if (safe == 0) return 0;
  long counts[tasks::most_rows];
  int children = 0;
  for (; (safe & (safe - 1)) != 0; safe &= safe - 1) {
    const tasks::chess_board below = board.with(safe & -safe);
    const int child = children++;
#pragma omp task shared(counts)
    counts[child] = queens(below, cutoff);
  }
  long count = queens(board.with(safe), cutoff);
#pragma omp taskwait
  for (int i = 0; i < children; ++i) count += counts[i];
  return count;
}

void openmp(benchmark::State& state) {
  const auto cutoff = static_cast<int>(state.range(1));
  for (auto _ : state) {
    long count = 0;
    bench::with_team(bench::threads_of(state),
                     [&] { count = queens(tasks::empty_board(rows), cutoff); });
    check(state, count);
  }
}
BENCHMARK(openmp)->Apply(threads_and_cutoffs);

}  // namespace
}  // namespace bench_queens
