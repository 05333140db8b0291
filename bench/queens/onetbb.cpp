#include <oneapi/tbb/task_arena.h>  // task_arena
#include <oneapi/tbb/task_group.h>  // task_group

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
  oneapi::tbb::task_group group;
  for (; (safe & (safe - 1)) != 0; safe &= safe - 1) {
    group.run([&count = counts[children++], below = board.with(safe & -safe), cutoff] {
      count = queens(below, cutoff);
    });
  }
  long count = queens(board.with(safe), cutoff);
  group.wait();
  for (int i = 0; i < children; ++i) count += counts[i];
  return count;
}

void onetbb(benchmark::State& state) {
  oneapi::tbb::task_arena arena(bench::threads_of(state));
  const auto cutoff = static_cast<int>(state.range(1));
  for (auto _ : state) {
    check(state, arena.execute([&] { return queens(tasks::empty_board(rows), cutoff); }));
  }
}
BENCHMARK(onetbb)->Apply(threads_and_cutoffs);

}  // namespace
}  // namespace bench_queens
