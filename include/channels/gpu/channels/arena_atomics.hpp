#pragma once

#include "channels/gpu/port/atomic.hpp"
#include "channels/gpu/port/intrinsics.hpp"

namespace channels::gpu::detail {

/// Atomics for a `heap::arena` that lanes of the device use, and the host while no kernel runs;
/// `heap::arena` says why these orders.
struct arena_atomics {
  static CHANNELS_GPU_INLINE std::uint64_t load(const std::uint64_t* word) {
    return detail::load<order::acquire>(word);
  }
  static CHANNELS_GPU_INLINE std::uint64_t peek(const std::uint64_t* word) {
    return detail::load<order::relaxed>(word);
  }
  static CHANNELS_GPU_INLINE std::uint64_t add(std::uint64_t* word, std::uint64_t value) {
    return fetch_add<order::relaxed>(word, value);
  }
  static CHANNELS_GPU_INLINE bool take(std::uint64_t* word, std::uint64_t expected,
                                       std::uint64_t desired) {
    return compare_exchange<order::relaxed>(word, expected, desired);
  }
  static CHANNELS_GPU_INLINE bool give(std::uint64_t* word, std::uint64_t expected,
                                       std::uint64_t desired) {
    return compare_exchange<order::release>(word, expected, desired);
  }
  /// Lanes of a wavefront have different ones.
  static CHANNELS_GPU_INLINE std::uint64_t list_of(std::uint64_t /*place*/) { return item_index(); }
};

}  // namespace channels::gpu::detail
