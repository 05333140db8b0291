#pragma once

#if defined(CHANNELS_GPU_EMULATED)
#include "channels/gpu/port/emulation/lane.hpp"
#else

#include <cstdint>  // fixed-width integers

#include "channels/gpu/port/compiler.hpp"
#include "channels/gpu/tuning.hpp"

/// Time, and what a lane does between two looks at what it waits for.
namespace channels::gpu::detail {

/// Nanoseconds of a clock that all compute units share.
CHANNELS_GPU_INLINE std::uint64_t clock_ns() {
#if defined(__HIP_DEVICE_COMPILE__)
  return wall_clock64() * 10U;  // it runs at 100 MHz
#elif defined(__CUDA_ARCH__)
  std::uint64_t now = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
#else
  return 0;
#endif
}

/// Cycles of the compute unit's clock, the last 32 bits: read in a few of them.
CHANNELS_GPU_INLINE std::uint32_t clock_cycles() {
#if defined(__HIP_DEVICE_COMPILE__)
  return static_cast<std::uint32_t>(clock64());
#elif defined(__CUDA_ARCH__)
  std::uint32_t now = 0;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(now));
  return now;
#else
  return 0;
#endif
}

/// Between two looks at what another wavefront is about to write.
CHANNELS_GPU_INLINE void relax() {}
/// Where an emulated device lets lanes get out of step.
CHANNELS_GPU_INLINE void stumble() {}

/// Leaves the machine to others between two looks of a lane that has nothing else to do.
CHANNELS_GPU_INLINE void nap() {
#if defined(__HIP_DEVICE_COMPILE__)
  __builtin_amdgcn_s_sleep(wait_tuning::nap_sleeps);
#elif defined(__CUDA_ARCH__)
  __nanosleep(wait_tuning::nap_ns);
#endif
}

}  // namespace channels::gpu::detail

#endif
