#include <algorithm>  // max
#include <numeric>    // iota
#include <vector>     // vector

#include "gpu_bench.hpp"

/// What lanes that reserve channel space together gain (the paper's figure 17): each of so many
/// lanes wants as many elements as a hash of its number says, none to three, reserves them from
/// one tail and writes them. And what a consumer reads of records and of fields.
namespace {

using channels::gpu::detail::allocate;
using channels::gpu::detail::check;
using channels::gpu::detail::free_memory;

constexpr unsigned group_items = 256;
constexpr unsigned lanes = 1U << 22U;

__host__ __device__ std::uint32_t wanted(std::uint32_t lane) {
  lane = (lane ^ lane >> 16U) * 0x45d9f3bU;
  return (lane ^ lane >> 16U) & 3U;
}

/// One atomic for each lane: the instruction itself, for the compiler makes one of a wavefront's.
__device__ std::uint32_t reserve_alone(std::uint32_t* tail, std::uint32_t count) {
  std::uint32_t first = 0;
  asm volatile("atom.global.add.u32 %0, [%1], %2;"
               : "=r"(first)
               : "l"(tail), "r"(count)
               : "memory");
  return first;
}
/// One for each wavefront: what channels do.
__device__ std::uint32_t reserve_in_wave(std::uint32_t* tail, std::uint32_t count) {
  return channels::gpu::detail::claim(tail, count, ~std::uint32_t{0});
}
/// One for each work-group.
__device__ std::uint32_t reserve_in_group(std::uint32_t* tail, std::uint32_t count) {
  constexpr unsigned waves = group_items / 32;
  __shared__ std::uint32_t of_wave[waves];
  __shared__ std::uint32_t first;
  const unsigned wave = threadIdx.x / 32;
  const unsigned lane = threadIdx.x % 32;
  std::uint32_t up_to_this = count;
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    const std::uint32_t below = __shfl_up_sync(~0U, up_to_this, distance);
    if (lane >= distance) up_to_this += below;
  }
  if (lane == 31) of_wave[wave] = up_to_this;
  __syncthreads();
  if (threadIdx.x == 0) {
    std::uint32_t all = 0;
    for (std::uint32_t& w : of_wave) {
      const std::uint32_t mine = w;
      w = all;
      all += mine;
    }
    first = atomicAdd(tail, all);
  }
  __syncthreads();
  return first + of_wave[wave] + up_to_this - count;
}

enum class together : int { lane, wave, group };

/// An element is the number of the lane that wrote it, and is as far from the next as `Stride`
/// says.
template <together By, unsigned Stride>
__global__ void write_elements(std::uint32_t* tail, std::uint32_t* elements) {
  const std::uint32_t self = blockIdx.x * blockDim.x + threadIdx.x;
  const std::uint32_t count = wanted(self);
  std::uint32_t at = 0;
  if constexpr (By == together::lane) {
    if (count != 0) at = reserve_alone(tail, count);
  } else if constexpr (By == together::wave) {
    at = reserve_in_wave(tail, count);
  } else {
    at = reserve_in_group(tail, count);
  }
  for (std::uint32_t i = 0; i < count; ++i) elements[std::size_t{at + i} * Stride] = self;
}

/// Each element was written once.
bool all_are_there(std::uint32_t* elements, std::size_t count, unsigned stride) {
  std::vector<std::uint32_t> all(count * stride);
  check(cudaMemcpy(all.data(), elements, all.size() * sizeof all[0], cudaMemcpyDeviceToHost),
        "copy");
  std::vector<std::uint8_t> seen(lanes, 0);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t lane = all[i * stride];
    if (lane >= lanes || ++seen[lane] > wanted(lane)) return false;
  }
  return true;
}

template <together By, unsigned Stride>
void reservation(benchmark::State& state) {
  std::size_t count = 0;
  for (std::uint32_t lane = 0; lane < lanes; ++lane) count += wanted(lane);
  const auto tail = allocate<std::uint32_t>(sizeof(std::uint32_t), "a tail");
  const std::size_t bytes = count * Stride * sizeof(std::uint32_t);
  const auto elements = allocate<std::uint32_t>(bytes, "elements");
  check(cudaMemset(elements.get(), 0xff, bytes), "clear");
  std::uint32_t reserved = 0;
  for (auto _ : state) {
    state.PauseTiming();
    check(cudaMemset(tail.get(), 0, sizeof(std::uint32_t)), "clear");
    check(cudaDeviceSynchronize(), "clear");
    state.ResumeTiming();
    write_elements<By, Stride><<<lanes / group_items, group_items>>>(tail.get(), elements.get());
    check(cudaDeviceSynchronize(), "reservations");
  }
  check(cudaMemcpy(&reserved, tail.get(), sizeof reserved, cudaMemcpyDeviceToHost), "copy");
  if (reserved != count || !all_are_there(elements.get(), count, Stride))
    state.SkipWithError("wrong answer");
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(count));
}
// Padded: a cache line each, the paper's stand-in for a linked list.
#define RESERVATION(by)                    \
  BENCHMARK(reservation<together::by, 1>)  \
      ->Name("reservation/packed/" #by)    \
      ->Unit(benchmark::kMicrosecond)      \
      ->UseRealTime();                     \
  BENCHMARK(reservation<together::by, 32>) \
      ->Name("reservation/padded/" #by)    \
      ->Unit(benchmark::kMicrosecond)      \
      ->UseRealTime()
RESERVATION(lane);
RESERVATION(wave);
RESERVATION(group);

constexpr unsigned fields = 8;
constexpr std::size_t records = std::size_t{1} << 24U;

/// The sum of the first `Read` fields of all records, in one of two layouts.
template <unsigned Read, bool ByField>
__global__ void sum_fields(const std::uint32_t* data, unsigned long long* sum) {
  unsigned long long own = 0;
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < records;
       i += std::size_t{gridDim.x} * blockDim.x) {
    for (unsigned f = 0; f < Read; ++f) own += data[ByField ? f * records + i : i * fields + f];
  }
  for (unsigned distance = 16; distance != 0; distance /= 2)
    own += __shfl_down_sync(~0U, own, distance);
  if (threadIdx.x % 32 == 0) atomicAdd(sum, own);
}

template <unsigned Read, bool ByField>
void layout(benchmark::State& state) {
  std::vector<std::uint32_t> host(records * fields);
  std::iota(host.begin(), host.end(), 0U);
  unsigned long long expected = 0;
  for (std::size_t i = 0; i < records; ++i) {
    for (unsigned f = 0; f < Read; ++f)
      expected += host[ByField ? f * records + i : i * fields + f];
  }
  const std::size_t bytes = host.size() * sizeof host[0];
  const auto data = allocate<std::uint32_t>(bytes, "records");
  const auto sum = allocate<unsigned long long>(sizeof(unsigned long long), "a sum");
  check(cudaMemcpy(data.get(), host.data(), bytes, cudaMemcpyHostToDevice), "copy");
  unsigned long long found = 0;
  for (auto _ : state) {
    state.PauseTiming();
    check(cudaMemset(sum.get(), 0, sizeof found), "clear");
    check(cudaDeviceSynchronize(), "clear");
    state.ResumeTiming();
    sum_fields<Read, ByField><<<132 * 8, 256>>>(data.get(), sum.get());
    check(cudaDeviceSynchronize(), "reading");
  }
  check(cudaMemcpy(&found, sum.get(), sizeof found, cudaMemcpyDeviceToHost), "copy");
  if (found != expected) state.SkipWithError("wrong answer");
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(records));
}
#define LAYOUT(read, by_field, name) \
  BENCHMARK(layout<read, by_field>)->Name(name)->Unit(benchmark::kMicrosecond)->UseRealTime()
LAYOUT(1, false, "fields/one_of_8_fields/by_record");
LAYOUT(1, true, "fields/one_of_8_fields/by_field");
LAYOUT(8, false, "fields/all_8_fields/by_record");
LAYOUT(8, true, "fields/all_8_fields/by_field");

}  // namespace
