#pragma once

#include "channels/gpu/port/atomic.hpp"

namespace channels::gpu::detail {

/// Atomics for a `heap::arena` that lanes of the device use, and the host while no kernel runs.
struct arena_atomics {
  static CHANNELS_GPU_INLINE std::uint64_t load(const std::uint64_t* word) {
    return detail::load<order::acquire>(word);
  }
  static CHANNELS_GPU_INLINE std::uint64_t add(std::uint64_t* word, std::uint64_t value) {
    return fetch_add<order::acq_rel>(word, value);
  }
  static CHANNELS_GPU_INLINE bool exchange(std::uint64_t* word, std::uint64_t expected,
                                           std::uint64_t desired) {
    return compare_exchange<order::acq_rel>(word, expected, desired);
  }
};

}  // namespace channels::gpu::detail
