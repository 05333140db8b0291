// Records against fields: a consumer that reads one field of eight, and one that reads all.

#include "bench/channel/config.hpp"

namespace channels::bench {
namespace {

struct particle {
  std::uint32_t x, y, z, u, v, w, mass, cell;

  static particle make(std::uint32_t n) { return {n, n, n, n, n, n, n, n}; }
};
struct particle_by_field : particle {
  using self = particle_by_field;
  using channel_fields =
      fields<&self::x, &self::y, &self::z, &self::u, &self::v, &self::w, &self::mass, &self::cell>;

  static particle_by_field make(std::uint32_t n) { return {particle::make(n)}; }
};

constexpr auto one_field = [](const particle& p) { return p.x; };
constexpr auto all_fields = [](const particle& p) {
  return p.x + p.y + p.z + p.u + p.v + p.w + p.mass + p.cell;
};

/// Blocks of 4096 elements; the channel is larger than a core's caches, and nearly full.
template <class T, auto Read>
void read_fields(benchmark::State& state) {
  constexpr std::uint32_t block = 4096;
  constexpr std::uint32_t blocks = 64;
  channel<T> c((blocks + 1) * block);
  const T sample = T::make(3);
  const auto produce = [&] {
    const auto r = c.talloc(block);
    for (std::uint32_t i = 0; i < r.count; ++i) c.set(r, i, sample);
    c.enq(r);
  };
  for (std::uint32_t i = 0; i < blocks; ++i) produce();
  std::uint64_t sum = 0;
  for (auto _ : state) {
    const auto r = c.deq();
    for (std::uint32_t i = 0; i < r.count; ++i) sum += Read(c.get(r, i));
    state.PauseTiming();
    c.tfree(r);
    produce();
    state.ResumeTiming();
  }
  const auto elements = static_cast<std::uint64_t>(state.iterations()) * block;
  check(state, sum, elements * Read(sample));
  state.SetItemsProcessed(static_cast<std::int64_t>(elements));
}

BENCHMARK(read_fields<particle, one_field>)->Name("one_of_8_fields/by_record");
BENCHMARK(read_fields<particle_by_field, one_field>)->Name("one_of_8_fields/by_field");
BENCHMARK(read_fields<particle, all_fields>)->Name("all_8_fields/by_record");
BENCHMARK(read_fields<particle_by_field, all_fields>)->Name("all_8_fields/by_field");

}  // namespace
}  // namespace channels::bench
