#include <vector>  // vector

#include "channels/gpu/active_messages/messenger.hpp"
#include "gpu_bench.hpp"

/// Messages between GPUs, and what a user would write instead: atomics that go to the other GPU by
/// themselves. Answers are checked by the sum of the table.
namespace {

using channels::gpu::message_place;
using channels::gpu::messenger;
using channels::gpu::places;
using channels::gpu::sliced;
using channels::gpu::slices;
using words = slices<std::uint64_t>;

CHANNELS_DEVICE std::uint64_t scramble(std::uint64_t x) {
  x = (x ^ x >> 33U) * 0xff51afd7ed558ccdU;
  x = (x ^ x >> 33U) * 0xc4ceb9fe1a85ec53U;
  return x ^ x >> 33U;
}

struct send_updates {
  words table;
  std::uint64_t mask;
  template <class Out>
  CHANNELS_DEVICE void operator()(Out& out, std::uint64_t i) const {
    const std::uint64_t word = scramble(i) & mask;
    out.send(table.owner(word), word);
  }
};
struct add_one {
  words table;
  CHANNELS_DEVICE void operator()(message_place /*at*/, std::uint64_t word) const {
    table.increment(word);
  }
};
struct send_to_next {
  template <class Out>
  CHANNELS_DEVICE void operator()(Out& out, std::uint64_t i) const {
    out.send((out.here() + 1) % out.places(), i);
  }
};
/// Looks at each message and remembers one in four billion.
struct look {
  words seen;
  CHANNELS_DEVICE void operator()(message_place /*at*/, std::uint64_t number) const {
    if (static_cast<std::uint32_t>(scramble(number)) == 0) seen.increment(0);
  }
};

__global__ void update_directly(words table, std::uint64_t mask, std::uint64_t first,
                                std::uint64_t last) {
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = first + blockIdx.x * blockDim.x + threadIdx.x; i < last; i += step)
    atomicAdd_system(reinterpret_cast<unsigned long long*>(table.at(scramble(i) & mask)), 1ULL);
}
__global__ void add_up(const std::uint64_t* slice, std::uint64_t count, std::uint64_t* sum) {
  std::uint64_t own = 0;
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step)
    own += slice[i];
  channels::detail::atomic_fetch_add<channels::detail::order::relaxed>(sum, own);
}

/// Calls `work(place)` with each place's GPU, and waits for all.
template <class Work>
void at_each(const places& where, Work work) {
  for (std::uint32_t place = 0; place < where.count(); ++place) {
    const channels::gpu::detail::on_gpu here(where.gpu(place));
    work(place);
  }
  for (std::uint32_t place = 0; place < where.count(); ++place) {
    const channels::gpu::detail::on_gpu here(where.gpu(place));
    channels::gpu::detail::check(cudaDeviceSynchronize(), "benchmark");
  }
}
std::uint64_t sum_of(const places& where, const sliced<std::uint64_t>& table) {
  sliced<std::uint64_t> sum(where, 1);
  sum.clear();
  const words view = table.view();
  std::uint64_t* const total = sum.view().of[0];
  at_each(where, [&](std::uint32_t place) {
    add_up<<<1024, 256>>>(view.of[place], view.per_place, total);
  });
  std::vector<std::uint64_t> read;
  sum.read(read);
  return read[0];
}

/// A table of 2^range(1) words of 8 bytes on each GPU, twice as many updates.
template <class Update>
void gups(benchmark::State& state, Update update) {
  const auto options = gpu_bench::on_gpus(state, state.range(0));
  if (!options) return;
  const places where(*options);
  const std::uint64_t size = (std::uint64_t{1} << state.range(1)) * where.count();
  const std::uint64_t updates = 2 * size;
  sliced<std::uint64_t> table(where, size);
  table.clear();
  messenger<std::uint64_t> mail(where);
  std::uint64_t runs = 0;
  for (auto _ : state) {
    update(where, mail, table.view(), size - 1, updates);
    ++runs;
  }
  if (sum_of(where, table) != updates * runs) state.SkipWithError("wrong answer");
  state.counters["items/s"] = benchmark::Counter(static_cast<double>(updates),
                                                 benchmark::Counter::kIsIterationInvariantRate);
}
void gups_by_messages(benchmark::State& state) {
  gups(state,
       [](const places&, messenger<std::uint64_t>& mail, words table, std::uint64_t mask,
          std::uint64_t updates) { mail.run(updates, send_updates{table, mask}, add_one{table}); });
}
void gups_by_atomics(benchmark::State& state) {
  gups(state, [](const places& where, messenger<std::uint64_t>&, words table, std::uint64_t mask,
                 std::uint64_t updates) {
    const std::uint64_t share = updates / where.count();
    at_each(where, [&](std::uint32_t place) {
      update_directly<<<1056, 256>>>(table, mask, place * share, (place + 1) * share);
    });
  });
}
void sizes(benchmark::internal::Benchmark* one) {
  one->ArgNames({"gpus", "bits"})->UseRealTime()->Unit(benchmark::kMillisecond);
  for (const int bits : {22, 29})
    for (const int gpus : {1, 2}) one->Args({gpus, bits});
}
BENCHMARK(gups_by_messages)->Apply(sizes);
BENCHMARK(gups_by_atomics)->Apply(sizes);

/// All messages go to the other GPU, whose handler only looks at them.
void messages_to_the_next(benchmark::State& state) {
  const auto options = gpu_bench::on_gpus(state, 2);
  if (!options) return;
  const places where(*options);
  const auto messages = static_cast<std::uint64_t>(state.range(0));
  sliced<std::uint64_t> seen(where, 1);
  messenger<std::uint64_t> mail(where);
  std::uint64_t runs = 0;
  for (auto _ : state) {
    mail.run(messages * where.count(), send_to_next{}, look{seen.view()});
    ++runs;
  }
  for (const auto& one : mail.counts()) {
    if (one.sent != messages * runs || one.read != messages * runs)
      state.SkipWithError("messages are lost");
  }
  state.counters["items/s"] = benchmark::Counter(static_cast<double>(messages),
                                                 benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(messages_to_the_next)
    ->Arg(0)
    ->Arg(1000)
    ->Arg(1'000'000)
    ->Arg(1'000'000'000)
    ->UseRealTime()
    ->Unit(benchmark::kMicrosecond);

}  // namespace
