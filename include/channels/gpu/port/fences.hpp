#pragma once

#if defined(CHANNELS_GPU_EMULATED)
#include "channels/gpu/port/emulation/fences.hpp"
#else

#include "channels/detail/atomic.hpp"
#include "channels/gpu/port/intrinsics.hpp"

/// Barriers and fences: which lanes wait for each other, and which writes they see.
namespace channels::gpu::detail {

/// All work-items of the work-group call it together. What one has written before it, another reads
/// after it.
CHANNELS_GPU_INLINE void group_barrier() { __syncthreads(); }
/// Brings the lanes of a wavefront together again after they have diverged. All of them call it.
CHANNELS_GPU_INLINE void converge() {
#if defined(__HIP__)
  __builtin_amdgcn_wave_barrier();
#else
  __syncwarp();
#endif
}

/// Whether this code may use barriers in a work-group's memory.
#if defined(__CUDA_ARCH__)
#define CHANNELS_GPU_HAS_MBARRIER (__CUDA_ARCH__ >= 800)
#else
#define CHANNELS_GPU_HAS_MBARRIER 0
#endif

/// All lanes of the wavefront call it together. What one has written before it, another reads after
/// it.
CHANNELS_GPU_INLINE void fence_in_wave() {
#if defined(__HIP_DEVICE_COMPILE__)
  __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "wavefront");
#endif
  converge();  // CUDA's orders memory
}

/// As `fence_in_wave`, before and after a call by address, for one wavefront of a work-group. With
/// CUDA's barrier of a wavefront there (nvcc 13, sm_90), even beside fences of the device, all
/// lanes of kernel nodes ran with elements that were not theirs, every time; with a barrier of the
/// work-group for this one wavefront they do not. Why is not known. `Barrier`: not 0, and another
/// one for each wavefront of the group that calls this.
template <unsigned Barrier = 1>
CHANNELS_GPU_INLINE void fence_beside_call() {
#if defined(__CUDA_ARCH__)
  asm volatile("bar.sync %0, %1;" ::"n"(Barrier), "n"(wave_width) : "memory");
#else
  fence_in_wave();
#endif
}

/// Fences of the device's scope. All lanes of the wavefront call them together, so they hold for
/// what all lanes have written, and seen, before. `release_to_device` stands before a relaxed write
/// that another wavefront reads, and `acquire_from_device` after the relaxed read there. CUDA's
/// fences for one order only are sequentially consistent (nvcc 13), which costs more.
CHANNELS_GPU_INLINE void release_to_device() {
#if defined(__HIP_DEVICE_COMPILE__)
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent");
#elif defined(__CUDA_ARCH__)
  __nv_atomic_thread_fence(__NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_DEVICE);
#endif
}
CHANNELS_GPU_INLINE void acquire_from_device() {
#if defined(__HIP_DEVICE_COMPILE__)
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "agent");
#elif defined(__CUDA_ARCH__)
  __nv_atomic_thread_fence(__NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_DEVICE);
#endif
}
/// As these, of the system's scope: for the host as well.
CHANNELS_GPU_INLINE void release_to_system() {
#if defined(__HIP_DEVICE_COMPILE__)
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "");
#elif defined(__CUDA_ARCH__)
  __nv_atomic_thread_fence(__NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_SYSTEM);
#endif
}
CHANNELS_GPU_INLINE void acquire_from_system() {
#if defined(__HIP_DEVICE_COMPILE__)
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "");
#elif defined(__CUDA_ARCH__)
  __nv_atomic_thread_fence(__NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_SYSTEM);
#endif
}
inline constexpr auto order_beside_fences = channels::detail::order::relaxed;
inline constexpr auto release_beside_fence = channels::detail::order::relaxed;
inline constexpr auto acquire_beside_fence = channels::detail::order::relaxed;

}  // namespace channels::gpu::detail

#endif
