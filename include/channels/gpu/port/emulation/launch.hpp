#pragma once

#include <cstddef>      // size_t
#include <cstdint>      // uint8_t
#include <type_traits>  // type_identity_t

#include "channels/gpu/port/emulation/compiler.hpp"
#include "channels/gpu/port/emulation/kernel_call.hpp"

#define CHANNELS_GPU(name) ::channels::gpu::emulated::name

namespace channels::gpu::emulated {

// NOLINTBEGIN(readability-identifier-naming): the vendors' names
enum Error_t : std::uint8_t {
  Success,
  ErrorNotReady,
  ErrorMemoryAllocation,
  ErrorLaunchFailure,
  ErrorInvalidDevice,
  ErrorPeerAccessAlreadyEnabled,
};
using Stream_t = stream*;
// NOLINTEND(readability-identifier-naming)

}  // namespace channels::gpu::emulated

namespace channels::gpu {

using error_code = emulated::Error_t;
using stream_handle = emulated::Stream_t;
inline constexpr error_code success = emulated::Success;

/// For persistent kernels, so that their other way is used.
inline constexpr std::size_t most_group_memory = 0;

/// Each is a thread.
inline constexpr unsigned usual_group_waves = 2;

template <class... Parameters>
void launch(void (*kernel)(Parameters...), unsigned groups, unsigned items,
            std::size_t group_memory, stream_handle stream,
            const std::type_identity_t<Parameters>&... parameters) {
  auto call = [=] { kernel(parameters...); };
  using bound = decltype(call);
  emulated::start(stream, groups, items, group_memory,
                  {new bound(call), [](const void* p) { (*static_cast<const bound*>(p))(); },
                   [](void* p) { delete static_cast<bound*>(p); }});
}

}  // namespace channels::gpu

#if !defined(CHANNELS_GPU_HOST_PART_APART)
#include "channels/gpu/port/emulation/launch_code.hpp"
#endif
