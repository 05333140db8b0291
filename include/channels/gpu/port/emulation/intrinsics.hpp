#pragma once

#include <algorithm>  // max_element
#include <bit>        // countr_zero, popcount
#include <cassert>    // assert
#include <chrono>     // nanoseconds
#include <cstdint>    // fixed-width integers
#include <cstring>    // memcpy
#include <numeric>    // accumulate
#include <thread>     // yield

#include "channels/detail/atomic.hpp"
#include "channels/gpu/port/emulation/wavefront.hpp"

/// What vendor.hpp has for a GPU, for the CPU, with four lanes to a wavefront. It runs the
/// protocols of a GPU's lanes under ThreadSanitizer, where there is no GPU; nobody wants it for
/// speed.

#define CHANNELS_GPU_INLINE inline
#define CHANNELS_GPU_UNROLL
#define CHANNELS_GPU_NO_UNROLL
#define CHANNELS_GPU_UNROLL_BY_FOUR
#define CHANNELS_GPU_ASSUME(condition) assert(condition)
#define CHANNELS_GPU_FUNCTION inline
#define CHANNELS_GPU_KERNEL inline void
#define CHANNELS_GPU_PARAMETER
#define CHANNELS_GPU_BATCH_KERNEL inline void
#define CHANNELS_GPU_PERSISTENT_KERNEL inline void
#define CHANNELS_GPU_VARIABLE inline

namespace channels::gpu {

/// For persistent kernels, so that their other way is used.
inline constexpr std::size_t most_group_memory = 0;

namespace detail {

using lane_mask = std::uint32_t;
/// Compute units. A persistent kernel has a wavefront on each.
inline constexpr unsigned device_units = 2;

/// Where work-groups have one wavefront.
inline unsigned wave_index() { return this_lane().group_number; }
inline unsigned group_index() { return this_lane().group_number; }
inline unsigned group_count() { return this_lane().groups; }
inline unsigned wave_in_group() { return this_lane().wave_number; }
inline constexpr bool tells_units = true;
inline unsigned compute_unit() { return wave_index() % device_units; }
inline unsigned lane_index() { return this_lane().lane; }
/// The work-item's number among all, for kernels that have nothing to do with wavefronts.
inline unsigned item_index() { return this_lane().item; }
inline std::uint32_t* group_memory() {
  return reinterpret_cast<std::uint32_t*>(this_lane().group->memory.data());
}
inline std::uint32_t* kept_group_memory(std::uint32_t first_word = 0) {
  return group_memory() + first_word;
}

using std::max;
using std::memcpy;
using std::min;

inline unsigned count(std::uint32_t mask) { return static_cast<unsigned>(std::popcount(mask)); }
inline unsigned first(std::uint32_t mask) { return static_cast<unsigned>(std::countr_zero(mask)); }
inline std::uint32_t rotate_right(std::uint32_t bits, unsigned by) {
  return std::rotr(bits, static_cast<int>(by));
}
inline unsigned rank_in(lane_mask mask) { return count(mask & ((1U << lane_index()) - 1)); }

inline void converge() { this_lane().wave->meet(); }
inline void fence_in_wave() { converge(); }
template <unsigned Barrier = 1>
inline void fence_beside_call() {
  converge();
}
inline void group_barrier() {
  converge();
  if (lane_index() == 0) this_lane().group->waves_are_there.arrive_and_wait();
  converge();
}
#define CHANNELS_GPU_HAS_MBARRIER 0  // see vendor.hpp
/// ThreadSanitizer does not know fences: the operations beside them have to do it.
inline void release_to_device() {}
inline void acquire_from_device() {}
inline constexpr auto order_beside_fences = channels::detail::order::acq_rel;
inline constexpr auto release_beside_fence = channels::detail::order::release;
inline constexpr auto acquire_beside_fence = channels::detail::order::acquire;
inline std::uint32_t claim(std::uint32_t* counter) {
  return __atomic_fetch_add(counter, 1U, __ATOMIC_RELAXED);
}

inline void release_to_system() {}
inline void acquire_from_system() {}
inline std::uint32_t claim(std::uint32_t* counter, std::uint32_t numbers, std::uint32_t limit,
                           bool look = true) {
  if (look && __atomic_load_n(counter, __ATOMIC_RELAXED) >= limit) return limit;
  return __atomic_fetch_add(counter, numbers, __ATOMIC_RELAXED);
}
inline std::uint32_t claim_one(std::uint32_t* counter, std::uint32_t limit, bool look = true) {
  return claim(counter, 1, limit, look);
}
inline void tally(std::uint32_t* counters, std::uint32_t which) {
  // Release: who acquires the count sees what this lane did before.
  __atomic_fetch_add(counters + which, 1U, __ATOMIC_RELEASE);
}
inline std::uint64_t clock_ns() {
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                        std::chrono::steady_clock::now().time_since_epoch())
                                        .count());
}

/// Calls `read` with the values of all lanes.
template <class T, class Read>
auto exchange_in_wave(T value, Read read) {
  static_assert(sizeof(T) <= sizeof(std::uint64_t));
  std::uint64_t word = 0;
  std::memcpy(&word, &value, sizeof value);
  emulated_wave& wave = *this_lane().wave;
  wave.values[this_lane().lane] = word;
  converge();
  const auto result = read(wave.values);
  converge();
  return result;
}
inline lane_mask ballot(bool condition) {
  return exchange_in_wave(condition, [](const std::uint64_t* values) {
    lane_mask mask = 0;
    for (unsigned i = 0; i < wave_width; ++i) mask |= static_cast<lane_mask>(values[i] & 1U) << i;
    return mask;
  });
}
template <class T>
T of_lane(T value, unsigned from) {
  return exchange_in_wave(value, [from](const std::uint64_t* values) {
    T result;
    std::memcpy(&result, &values[from % wave_width], sizeof result);
    return result;
  });
}
template <class T>
T of_lane_above(T value, unsigned distance) {
  const unsigned from = lane_index() + distance;
  return of_lane(value, from < wave_width ? from : lane_index());
}
inline std::uint32_t most_of_wave(std::uint32_t value) {
  return exchange_in_wave(value, [](const std::uint64_t* values) {
    return static_cast<std::uint32_t>(*std::max_element(values, values + wave_width));
  });
}
inline std::uint32_t total_of_wave(std::uint32_t value) {
  return exchange_in_wave(value, [](const std::uint64_t* values) {
    return static_cast<std::uint32_t>(
        std::accumulate(values, values + wave_width, std::uint64_t{0}));
  });
}
inline void nap() {
  if (this_lane().wave->look_away()) std::this_thread::yield();
}
/// Longer than on a GPU: there are more wavefronts than cores, and those at work need them.
inline void relax() {
  if (this_lane().wave->look_away()) std::this_thread::sleep_for(std::chrono::microseconds(50));
}
inline void stumble() {
  const emulated_lane* const lane = running_lane.load(std::memory_order_relaxed);
  if (lane != nullptr && lane->wave != nullptr && lane->wave->stumble()) std::this_thread::yield();
}

/// A word that another thread or the host writes while nobody waits for it.
template <class T>
T peek(const T* word) {
  return __atomic_load_n(word, __ATOMIC_RELAXED);
}

}  // namespace detail

}  // namespace channels::gpu

#include "channels/gpu/port/emulation/host_api.hpp"
