#include "bench/queens/config.hpp"

namespace bench_queens {
namespace {

// An argument that no compiler knows when it compiles this.
void serial(benchmark::State& state) {
  const tasks::chess_board board = tasks::empty_board(static_cast<unsigned>(state.range(0)));
  for (auto _ : state) check(state, tasks::serial_queens(board));
}
BENCHMARK(serial)->ArgName("rows")->Arg(rows)->Apply(bench::timed);

}  // namespace
}  // namespace bench_queens
