#pragma once

#if defined(CHANNELS_GPU_EMULATED)
#include "channels/gpu/port/emulation/lane.hpp"
#else

#include "channels/gpu/port/compiler.hpp"

namespace channels::gpu::detail {

/// One lane calls it: the kernel ends with an error, and the device can do no more for this
/// process.
CHANNELS_GPU_INLINE void trap() {
#if defined(__HIP_DEVICE_COMPILE__)
  __builtin_trap();
#elif defined(__CUDA_ARCH__)
  __trap();
#endif
}

}  // namespace channels::gpu::detail

#endif
