#pragma once

#include <algorithm>  // max_element
#include <cstring>    // memcpy
#include <numeric>    // accumulate

#include "channels/gpu/port/fences.hpp"  // converge

/// What port/collectives.hpp has for a GPU, for the CPU: lanes exchange through their wavefront's
/// memory.
namespace channels::gpu::detail {

/// Calls `read` with the values of all lanes.
template <class T, class Read>
auto exchange_in_wave(T value, Read read) {
  static_assert(sizeof(T) <= sizeof(std::uint64_t));
  std::uint64_t word = 0;
  std::memcpy(&word, &value, sizeof value);
  std::uint64_t* const values = values_of_wave();
  values[this_lane().lane] = word;
  converge();
  const auto result = read(values);
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
inline std::uint32_t claim(std::uint32_t* counter) {
  return __atomic_fetch_add(counter, 1U, __ATOMIC_RELAXED);
}

inline std::uint32_t claim(std::uint32_t* counter, std::uint32_t numbers, std::uint32_t limit,
                           bool look = true) {
  if (look && __atomic_load_n(counter, __ATOMIC_RELAXED) >= limit) return limit;
  return __atomic_fetch_add(counter, numbers, __ATOMIC_RELAXED);
}
inline std::uint32_t claim_one(std::uint32_t* counter, std::uint32_t limit, bool look = true) {
  return claim(counter, 1, limit, look);
}
inline std::uint64_t claim_each(std::uint64_t* counters, std::uint32_t which) {
  return __atomic_fetch_add(counters + which, 1U, __ATOMIC_RELAXED);
}
inline void tally(std::uint32_t* counters, std::uint32_t which) {
  // Release: a reader that acquires the count sees what this lane did before.
  __atomic_fetch_add(counters + which, 1U, __ATOMIC_RELEASE);
}

}  // namespace channels::gpu::detail
