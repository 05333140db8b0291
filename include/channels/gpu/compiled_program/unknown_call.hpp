#pragma once

#include <cstdint>  // uint32_t

#include "channels/gpu/compiled_program/call_place.hpp"
#include "channels/gpu/port/atomic.hpp"
#include "channels/gpu/port/fences.hpp"

namespace channels::cilk {

inline namespace CHANNELS_CILK_ON {

/// What a lane tells the host when it is to call a function that the device does not have. It is in
/// pinned memory of the host, which can be read when the device is lost.
struct unknown_call {
  std::uint32_t lanes;     ///< that wanted to tell
  std::uint32_t happened;  ///< not 0: the rest is written
  told_place place;

  /// Any lane calls it. The first one makes it visible to the host, and gets true.
  CHANNELS_GPU_INLINE bool tell(call_place from) {
    if (gpu::detail::fetch_add<channels::detail::order::relaxed>(&lanes, std::uint32_t{1}) != 0)
      return false;
    place.set(from);
    gpu::detail::release_to_system();
    *const_cast<volatile std::uint32_t*>(&happened) = 1;
    gpu::detail::release_to_system();
    return true;
  }
};

}  // namespace CHANNELS_CILK_ON

}  // namespace channels::cilk
