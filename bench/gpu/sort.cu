#include <algorithm>  // is_sorted
#include <numeric>    // accumulate
#include <vector>     // vector

#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>

#include "gpu_bench.hpp"
#include "tasks/sort.hpp"

/// cilksort of many numbers, with leaves that wavefronts run together, beside CUB's sorts.
namespace {

std::uint32_t mixed(std::uint32_t i) {
  i = (i ^ i >> 16U) * 0x45d9f3bU;
  return (i ^ i >> 16U) * 0x45d9f3bU;
}

/// Numbers that are the same in each run, and whether they have been sorted.
class numbers {
 public:
  explicit numbers(std::size_t size)
      : host_(size),
        data_(channels::gpu::detail::allocate<int>(size * sizeof(int), "numbers")),
        scratch_(channels::gpu::detail::allocate<int>(size * sizeof(int), "numbers")) {
    for (std::size_t i = 0; i < size; ++i)
      host_[i] = static_cast<int>(mixed(static_cast<std::uint32_t>(i)));
    sum_ = std::accumulate(host_.begin(), host_.end(), std::uint64_t{0});
  }
  /// Nothing of an earlier run is left, in the scratch space neither.
  void shuffle() {
    copy(data_.get(), host_.data(), cudaMemcpyHostToDevice);
    channels::gpu::detail::check(cudaMemset(scratch_.get(), 0x5a, host_.size() * sizeof(int)),
                                 "clear");
  }
  [[nodiscard]] bool are_sorted() {
    std::vector<int> now(host_.size());
    copy(now.data(), data_.get(), cudaMemcpyDeviceToHost);
    return std::is_sorted(now.begin(), now.end()) &&
           std::accumulate(now.begin(), now.end(), std::uint64_t{0}) == sum_;
  }
  [[nodiscard]] int* data() const { return data_.get(); }
  [[nodiscard]] int* scratch() const { return scratch_.get(); }

 private:
  void copy(void* to, const void* from, cudaMemcpyKind kind) {
    channels::gpu::detail::check(cudaMemcpy(to, from, host_.size() * sizeof(int), kind), "copy");
  }
  std::vector<int> host_;
  std::uint64_t sum_ = 0;
  std::unique_ptr<int, channels::gpu::detail::free_memory> data_;
  std::unique_ptr<int, channels::gpu::detail::free_memory> scratch_;
};

template <class Sort>
void sort_each_time(benchmark::State& state, Sort sort) {
  numbers n(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) {
    state.PauseTiming();
    n.shuffle();
    channels::gpu::detail::check(cudaDeviceSynchronize(), "copy");
    state.ResumeTiming();
    sort(n);
    channels::gpu::detail::check(cudaDeviceSynchronize(), "sort");
  }
  if (!n.are_sorted()) state.SkipWithError("wrong answer");
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

template <class Sort>
void sort_tasks(benchmark::State& state) {
  channels::settings s = gpu_bench::options();
  channels::gpu::caller<Sort> call(s);
  const tasks::sort_cutoffs cutoffs{state.range(1), state.range(2)};
  sort_each_time(state,
                 [&](numbers& n) { call({n.data(), n.scratch(), state.range(0), cutoffs}); });
  gpu_bench::describe(state, call.report());
}
BENCHMARK(sort_tasks<tasks::sort_by_parts>)
    ->Name("sort_tasks_by_parts")
    ->Args({1'000'000, 1024, 2048})
    ->Args({10'000'000, 2048, 4096})
    ->Args({100'000'000, 8192, 8192})
    ->Args({100'000'000, 8192, 16384})
    ->Args({100'000'000, 8192, 24576})
    ->Args({100'000'000, 32768, 65536})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(sort_tasks<tasks::sort>)
    ->Name("sort_tasks")
    ->Args({1'000'000, 1024, 4096})
    ->Args({100'000'000, 1024, 8192})
    ->Args({100'000'000, 8192, 8192})
    ->Args({100'000'000, 8192, 16384})
    ->Args({100'000'000, 8192, 32768})
    ->Args({100'000'000, 32768, 65536})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

/// `run(temporary memory, its bytes)` as CUB's functions take them.
template <class Run>
void with_temporary(Run run) {
  std::size_t bytes = 0;
  channels::gpu::detail::check(run(nullptr, bytes), "CUB");
  static std::unique_ptr<std::byte, channels::gpu::detail::free_memory> memory;
  static std::size_t size = 0;
  if (size < bytes) {
    memory = channels::gpu::detail::allocate<std::byte>(bytes, "CUB");
    size = bytes;
  }
  channels::gpu::detail::check(run(memory.get(), bytes), "CUB");
}

struct less {
  __device__ bool operator()(int a, int b) const { return a < b; }
};

void cub_merge_sort(benchmark::State& state) {
  sort_each_time(state, [&](numbers& n) {
    with_temporary([&](void* memory, std::size_t& bytes) {
      return cub::DeviceMergeSort::SortKeys(memory, bytes, n.data(), state.range(0), less{});
    });
  });
}
BENCHMARK(cub_merge_sort)
    ->Arg(1'000'000)
    ->Arg(10'000'000)
    ->Arg(100'000'000)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

void cub_radix_sort(benchmark::State& state) {
  sort_each_time(state, [&](numbers& n) {
    with_temporary([&](void* memory, std::size_t& bytes) {
      return cub::DeviceRadixSort::SortKeys(memory, bytes, n.data(), n.scratch(), state.range(0));
    });
    cudaMemcpyAsync(n.data(), n.scratch(), static_cast<std::size_t>(state.range(0)) * sizeof(int),
                    cudaMemcpyDeviceToDevice);
  });
}
BENCHMARK(cub_radix_sort)->Arg(100'000'000)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
