#pragma once

#if defined(CHANNELS_GPU_EMULATED)
#include "channels/gpu/port/emulation/launch.hpp"
#else

#include <cstddef>      // size_t
#include <type_traits>  // type_identity_t

#include "channels/gpu/port/compiler.hpp"

/// The vendor's interface for the host: `CHANNELS_GPU(Malloc)` is cudaMalloc or hipMalloc.

#if defined(__HIP__)
#define CHANNELS_GPU(name) hip##name
#else
#define CHANNELS_GPU(name) cuda##name
#endif

namespace channels::gpu {

using error_code = CHANNELS_GPU(Error_t);
using stream_handle = CHANNELS_GPU(Stream_t);
inline constexpr error_code success = CHANNELS_GPU(Success);

/// Bytes that a work-group may have in its own memory.
#if defined(__HIP__)
inline constexpr std::size_t most_group_memory = std::size_t{64} << 10U;
#else
inline constexpr std::size_t most_group_memory = std::size_t{200} << 10U;
#endif

/// Wavefronts of a work-group, where they do not share memory.
inline constexpr unsigned usual_group_waves = 8;

/// Starts a kernel with `groups` work-groups, each of `items` work-items and with `group_memory`
/// bytes of memory of its own.
template <class... Parameters>
void launch(void (*kernel)(Parameters...), unsigned groups, unsigned items,
            std::size_t group_memory, stream_handle stream,
            const std::type_identity_t<Parameters>&... parameters) {
  kernel<<<groups, items, group_memory, stream>>>(parameters...);
}

}  // namespace channels::gpu

#endif
