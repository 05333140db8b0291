#include <array>   // array
#include <vector>  // vector

#include "gpu_bench.hpp"
#include "tasks/queens.hpp"

/// N queens: tasks, and a kernel written by hand as such kernels are.
namespace {

using channels::gpu::stacks;

constexpr std::array<long, 19> counts{1,      1,       0,        0,        2,        10,    4,
                                      40,     92,      352,      724,      2680,     14200, 73712,
                                      365596, 2279184, 14772512, 95815104, 666090624};

void queens_tasks(benchmark::State& state) {
  const auto n = static_cast<unsigned>(state.range(0));
  static channels::gpu::caller<tasks::queens> call(gpu_bench::options());
  const tasks::queens::arguments whole{tasks::empty_board(n), static_cast<int>(state.range(1))};
  for (auto _ : state) {
    if (call(whole) != counts[n]) state.SkipWithError("wrong answer");
  }
  gpu_bench::describe(state, call.report());
}
BENCHMARK(queens_tasks)
    ->ArgNames({"rows", "cutoff"})
    ->Args({12, 0})
    ->Args({13, 0})
    ->Args({14, 0})
    ->Args({13, 4})
    ->Args({14, 4})
    ->Args({15, 4})
    ->Args({16, 4})
    ->Args({16, 8})
    ->Unit(benchmark::kMicrosecond)
    ->UseRealTime();

template <class Queens, stacks Simplest = stacks::summing>
void queens_of(benchmark::State& state) {
  const auto n = static_cast<unsigned>(state.range(0));
  static channels::gpu::caller<Queens, Simplest> call(gpu_bench::options());
  const std::uint64_t before = call.report().tasks;
  std::uint64_t runs = 0;
  for (auto _ : state) {
    if (call(Queens::whole(n)) != counts[n]) state.SkipWithError("wrong answer");
    ++runs;
  }
  gpu_bench::count_tasks(
      state, static_cast<double>(call.report().tasks - before) / static_cast<double>(runs));
  gpu_bench::describe(state, call.report());
}
/// On one GPU and on several.
template <class Queens>
void queens_gpus(benchmark::State& state) {
  const auto n = static_cast<unsigned>(state.range(0));
  const auto s = gpu_bench::on_gpus(state, state.range(1));
  if (!s) return;
  channels::gpu::caller<Queens> call(*s);
  for (auto _ : state) {
    if (call(Queens::whole(n)) != counts[n]) state.SkipWithError("wrong answer");
  }
  const channels::gpu::run_report did = call.report();
  gpu_bench::count_tasks(state,
                         static_cast<double>(did.tasks) / static_cast<double>(state.iterations()));
  gpu_bench::describe(state, did);
  gpu_bench::describe_gpus(state, did);
}
BENCHMARK(queens_gpus<tasks::loop_queens>)
    ->Name("queens_in_a_loop_gpus")
    ->ArgNames({"rows", "gpus"})
    ->ArgsProduct({{14, 16, 17, 18}, {1, 2, 4}})
    ->Unit(benchmark::kMicrosecond)
    ->UseRealTime();
BENCHMARK(queens_gpus<tasks::paired_queens>)
    ->Name("queens_by_two_gpus")
    ->ArgNames({"rows", "gpus"})
    ->ArgsProduct({{16, 18}, {1, 2, 4}})
    ->Unit(benchmark::kMicrosecond)
    ->UseRealTime();

BENCHMARK(queens_of<tasks::loop_queens>)
    ->Name("queens_in_a_loop")
    ->ArgName("rows")
    ->DenseRange(12, 17)
    ->Unit(benchmark::kMicrosecond)
    ->UseRealTime();
BENCHMARK(queens_of<tasks::loop_queens, stacks::pooled>)
    ->Name("queens_in_a_loop_on_stacks_of_work_groups")
    ->ArgName("rows")
    ->DenseRange(12, 14)
    ->Unit(benchmark::kMicrosecond)
    ->UseRealTime();
BENCHMARK(queens_of<tasks::paired_queens>)
    ->Name("queens_by_two")
    ->ArgName("rows")
    ->DenseRange(12, 16)
    ->Unit(benchmark::kMicrosecond)
    ->UseRealTime();
BENCHMARK(queens_of<tasks::paired_queens, stacks::lane_private>)
    ->Name("queens_by_two_that_wait")
    ->ArgName("rows")
    ->DenseRange(13, 16)
    ->Unit(benchmark::kMicrosecond)
    ->UseRealTime();
BENCHMARK(queens_of<tasks::paired_queens, stacks::pooled>)
    ->Name("queens_by_two_on_stacks_of_work_groups")
    ->ArgName("rows")
    ->DenseRange(13, 15)
    ->Unit(benchmark::kMicrosecond)
    ->UseRealTime();
BENCHMARK(queens_of<tasks::cut_queens<0>>)
    ->Name("queens_first_below")
    ->ArgName("rows")
    ->DenseRange(14, 18)
    ->Unit(benchmark::kMicrosecond)
    ->UseRealTime();
BENCHMARK(queens_of<tasks::cut_queens<2>>)
    ->Name("queens_with_a_serial_end/last_2")
    ->ArgName("rows")
    ->DenseRange(15, 18)
    ->Unit(benchmark::kMicrosecond)
    ->UseRealTime();
BENCHMARK(queens_of<tasks::cut_queens<4>>)
    ->Name("queens_with_a_serial_end/last_4")
    ->ArgName("rows")
    ->DenseRange(16, 18)
    ->Unit(benchmark::kMicrosecond)
    ->UseRealTime();

/// Half of the boards: the others are their mirror images.
template <class Queens>
void queens_mirrored(benchmark::State& state) {
  const auto n = static_cast<unsigned>(state.range(0));
  static channels::gpu::caller<Queens> call(gpu_bench::options());
  for (auto _ : state) {
    long found = call(Queens::left_half(n));
    if (n % 2 != 0) found += call(Queens::left_of_middle(n));
    if (2 * found != counts[n]) state.SkipWithError("wrong answer");
  }
  gpu_bench::describe(state, call.report());
}
BENCHMARK(queens_mirrored<tasks::cut_queens<0>>)
    ->Name("queens_mirrored/every_placement")
    ->ArgName("rows")
    ->DenseRange(16, 18)
    ->Unit(benchmark::kMicrosecond)
    ->UseRealTime();
BENCHMARK(queens_mirrored<tasks::cut_queens<2>>)
    ->Name("queens_mirrored/last_2")
    ->ArgName("rows")
    ->DenseRange(17, 18)
    ->Unit(benchmark::kMicrosecond)
    ->UseRealTime();

/// From one unit to all of them.
void queens_units(benchmark::State& state) {
  using queens = tasks::cut_queens<0>;
  channels::settings s = gpu_bench::options();
  const auto n = static_cast<unsigned>(state.range(0));
  s.compute_units = static_cast<unsigned>(state.range(1));
  channels::gpu::caller<queens> call(s);
  for (auto _ : state) {
    if (call(queens::whole(n)) != counts[n]) state.SkipWithError("wrong answer");
  }
}
BENCHMARK(queens_units)
    ->ArgNames({"queens", "units"})
    ->ArgsProduct({{16, 17}, {1, 2, 4, 8, 16, 32, 64, 132}})
    ->Unit(benchmark::kMicrosecond)
    ->UseRealTime();

constexpr unsigned most_rows = counts.size() - 1;

/// Each thread searches below one board of the first rows, with a stack of its own.
__global__ void search(const tasks::chess_board* boards, unsigned count,
                       unsigned long long* solutions) {
  unsigned long long found = 0;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    tasks::chess_board stack[most_rows + 1];
    std::uint32_t safe[most_rows + 1];
    int depth = 0;
    stack[0] = boards[i];
    safe[0] = stack[0].safe();
    while (depth >= 0) {
      if (safe[depth] == 0) {
        found += stack[depth].full() ? 1 : 0;
        --depth;
        continue;
      }
      const std::uint32_t square = safe[depth] & -safe[depth];
      safe[depth] ^= square;
      stack[depth + 1] = stack[depth].with(square);
      safe[depth + 1] = stack[depth + 1].safe();
      ++depth;
    }
  }
  if (found != 0) atomicAdd(solutions, found);
}

void expand(const tasks::chess_board& board, int rows, std::vector<tasks::chess_board>& out) {
  if (rows == 0) {
    out.push_back(board);
    return;
  }
  for (std::uint32_t safe = board.safe(); safe != 0; safe &= safe - 1) {
    expand(board.with(safe & -safe), rows - 1, out);
  }
}

void queens_by_hand(benchmark::State& state) {
  const auto n = static_cast<unsigned>(state.range(0));
  std::vector<tasks::chess_board> boards;
  expand(tasks::empty_board(n), n < 14 ? 5 : 6, boards);
  tasks::chess_board* on_device = nullptr;
  unsigned long long* solutions = nullptr;
  (void)cudaMalloc(&on_device, boards.size() * sizeof boards[0]);
  (void)cudaMallocManaged(&solutions, sizeof *solutions);
  (void)cudaMemcpy(on_device, boards.data(), boards.size() * sizeof boards[0],
                   cudaMemcpyHostToDevice);
  for (auto _ : state) {
    *solutions = 0;
    search<<<static_cast<unsigned>((boards.size() + 127) / 128), 128>>>(
        on_device, static_cast<unsigned>(boards.size()), solutions);
    if (cudaDeviceSynchronize() != cudaSuccess ||
        *solutions != static_cast<unsigned long long>(counts[n])) {
      state.SkipWithError("wrong answer");
    }
  }
  (void)cudaFree(on_device);
  (void)cudaFree(solutions);
}
BENCHMARK(queens_by_hand)->DenseRange(12, 18)->Unit(benchmark::kMicrosecond)->UseRealTime();

}  // namespace
