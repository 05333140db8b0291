#pragma once

#include <cstdint>  // fixed-width integers

#include "channels/gpu/compiled_program/call_place.hpp"
#include "channels/gpu/port/atomic.hpp"
#include "channels/gpu/port/clock.hpp"
#include "channels/gpu/port/device_code.hpp"
#include "channels/gpu/port/trap.hpp"
#include "channels/gpu/tuning.hpp"

namespace channels::cilk {

inline namespace CHANNELS_CILK_ON {

/// What lanes tell the host of what tasks allocate: that there are blocks for it to free, and when
/// an allocation has found no room for too long. It is in pinned memory of the host, which can be
/// read when the device is lost.
struct allocation_failure {
  std::uint32_t keeps;     ///< not 0: the arena keeps blocks of the host (`heap::arena::keep`)
  std::uint32_t happened;  ///< not 0: the rest is written
  std::uint64_t bytes;
  told_place place;

  /// One lane calls it, once for all lanes. Makes it visible to the host.
  CHANNELS_GPU_INLINE void tell(std::uint64_t wanted, call_place from) {
    bytes = wanted;
    place.set(from);
    gpu::detail::release_to_system();
    *const_cast<volatile std::uint32_t*>(&happened) = 1;
    gpu::detail::release_to_system();
  }
};

}  // namespace CHANNELS_CILK_ON

}  // namespace channels::cilk
