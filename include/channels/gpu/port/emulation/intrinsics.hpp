#pragma once

#include <algorithm>  // max, min
#include <bit>        // countr_zero, popcount, rotr
#include <cstdint>    // fixed-width integers
#include <cstring>    // memcpy

#include "channels/gpu/port/compiler.hpp"
#include "channels/gpu/port/emulation/lane.hpp"

/// What port/intrinsics.hpp has for a GPU, for the CPU, with four lanes to a wavefront. It runs the
/// protocols of a GPU's lanes under ThreadSanitizer, where there is no GPU; it is not made for
/// speed.
namespace channels::gpu::detail {

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
inline std::uint32_t* group_memory() { return reinterpret_cast<std::uint32_t*>(memory_of_group()); }
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

/// Reads a word that another thread or the host writes at any time. Orders no memory.
template <class T>
T peek(const T* word) {
  return __atomic_load_n(word, __ATOMIC_RELAXED);
}

}  // namespace channels::gpu::detail
