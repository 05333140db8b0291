#pragma once

#include "channels/gpu/port/device_code.hpp"

namespace channels::gpu::detail {

/// The number of the bit of `mask` that has `rank` bits of the mask below it. One lane calls it.
template <class Mask>
CHANNELS_GPU_INLINE unsigned nth(Mask mask, unsigned rank) {
  unsigned at = 0;
  CHANNELS_GPU_UNROLL
  for (unsigned half = sizeof(Mask) * 4; half != 0; half /= 2) {
    const unsigned below = count(static_cast<Mask>(mask >> at & ((Mask{1} << half) - 1)));
    if (rank >= below) {
      rank -= below;
      at += half;
    }
  }
  return at;
}

}  // namespace channels::gpu::detail
