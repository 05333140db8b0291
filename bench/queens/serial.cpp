#include "bench/queens/config.hpp"

namespace bench_queens {
namespace {

void serial(benchmark::State& state) {
  for (auto _ : state) {
    tasks::chess_board board = tasks::empty_board(rows);
    benchmark::DoNotOptimize(board);
    check(state, tasks::serial_queens(board));
  }
}
BENCHMARK(serial)->UseRealTime()->MeasureProcessCPUTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace bench_queens
