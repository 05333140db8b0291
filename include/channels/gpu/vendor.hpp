#pragma once

#if defined(CHANNELS_GPU_EMULATED)
#include "channels/gpu/emulated.hpp"
#else

#if !defined(__CUDACC__) && !defined(__HIP__)
#error "channels/gpu is for nvcc and hipcc"
#endif

#if defined(__HIP__)
#include <hip/hip_runtime.h>
#else
#include <cuda_runtime.h>
#endif

#include <cstdint>  // fixed-width integers

/// All that differs between the vendors: names of the host interface, what a wavefront can ask of
/// its lanes. (Atomics: channels/atomic.hpp.)

#if defined(__HIP__)
#define CHANNELS_GPU(name) hip##name
#else
#define CHANNELS_GPU(name) cuda##name
#endif

/// Device code that has to disappear into its caller, so that what it is given by reference stays
/// in registers.
#define CHANNELS_GPU_INLINE __device__ __forceinline__
/// Before a loop whose count is known when it is compiled.
#define CHANNELS_GPU_UNROLL _Pragma("unroll")
/// Device code that is better called.
#define CHANNELS_GPU_FUNCTION __device__ __noinline__
/// A kernel with work-groups of one wavefront.
#define CHANNELS_GPU_KERNEL __global__ void __launch_bounds__(channels::gpu::detail::wave_width)

/// A parameter of a kernel that is only read: its address is taken without making a copy.
#if defined(__HIP__)
#define CHANNELS_GPU_PARAMETER
#else
#define CHANNELS_GPU_PARAMETER __grid_constant__
#endif

namespace channels::gpu {

using error_code = CHANNELS_GPU(Error_t);
using stream_handle = CHANNELS_GPU(Stream_t);

#if defined(__HIP__)
inline error_code allocate_pinned(void** p, std::size_t bytes) {
  return hipHostMalloc(p, bytes, hipHostMallocMapped);
}
inline error_code free_pinned(void* p) { return hipHostFree(p); }
inline constexpr auto unit_count = hipDeviceAttributeMultiprocessorCount;
inline constexpr auto wave_lanes = hipDeviceAttributeWarpSize;
/// Bytes that a work-group may have in its own memory.
inline constexpr std::size_t most_group_memory = std::size_t{64} << 10U;
#else
inline error_code allocate_pinned(void** p, std::size_t bytes) {
  return cudaHostAlloc(p, bytes, cudaHostAllocMapped);
}
inline error_code free_pinned(void* p) { return cudaFreeHost(p); }
inline constexpr auto unit_count = cudaDevAttrMultiProcessorCount;
inline constexpr auto wave_lanes = cudaDevAttrWarpSize;
/// Bytes that a work-group may have in its own memory.
inline constexpr std::size_t most_group_memory = std::size_t{200} << 10U;
#endif

inline constexpr error_code success = CHANNELS_GPU(Success);

namespace detail {

/// A bit for each lane of a wavefront.
#if defined(__HIP_DEVICE_COMPILE__) && defined(__AMDGCN_WAVEFRONT_SIZE) && \
    __AMDGCN_WAVEFRONT_SIZE == 64
using lane_mask = std::uint64_t;
inline constexpr unsigned wave_width = 64;
#else
using lane_mask = std::uint32_t;
inline constexpr unsigned wave_width = 32;
#endif

CHANNELS_GPU_INLINE unsigned count(std::uint32_t mask) {
  return static_cast<unsigned>(__popc(mask));
}
CHANNELS_GPU_INLINE unsigned count(std::uint64_t mask) {
  return static_cast<unsigned>(__popcll(mask));
}
CHANNELS_GPU_INLINE unsigned first(std::uint32_t mask) {
  return static_cast<unsigned>(__ffs(static_cast<int>(mask)) - 1);
}
CHANNELS_GPU_INLINE unsigned first(std::uint64_t mask) {
  return static_cast<unsigned>(__ffsll(static_cast<long long>(mask)) - 1);
}

/// Which wavefront of the kernel this is.
CHANNELS_GPU_INLINE unsigned wave_index() { return blockIdx.x; }
/// The work-item's number among all.
CHANNELS_GPU_INLINE unsigned item_index() { return blockIdx.x * blockDim.x + threadIdx.x; }
/// The memory of the work-group that was asked for when the kernel was started.
CHANNELS_GPU_INLINE std::uint32_t* group_memory() {
  extern __shared__ std::uint32_t memory[];
  return memory;
}

/// The lane's place in its wavefront.
CHANNELS_GPU_INLINE unsigned lane_index() { return threadIdx.x % wave_width; }

/// How many lanes of `mask` come before this one.
CHANNELS_GPU_INLINE unsigned rank_in(lane_mask mask) {
  return count(static_cast<lane_mask>(mask & ((lane_mask{1} << lane_index()) - 1)));
}

/// The lanes for which `condition` holds. All lanes of the wavefront call it together.
CHANNELS_GPU_INLINE lane_mask ballot(bool condition) {
#if defined(__HIP__)
  return static_cast<lane_mask>(__ballot(condition ? 1 : 0));
#else
  return __ballot_sync(~0U, condition);
#endif
}

/// The value of lane `from`. All lanes of the wavefront call it together.
template <class T>
CHANNELS_GPU_INLINE T of_lane(T value, unsigned from) {
#if defined(__HIP__)
  return __shfl(value, static_cast<int>(from), static_cast<int>(wave_width));
#else
  return __shfl_sync(~0U, value, static_cast<int>(from));
#endif
}

template <class T>
CHANNELS_GPU_INLINE T of_lane_above(T value, unsigned distance) {
#if defined(__HIP__)
  return __shfl_down(value, distance, static_cast<int>(wave_width));
#else
  return __shfl_down_sync(~0U, value, distance);
#endif
}

CHANNELS_GPU_INLINE std::uint32_t rotate_right(std::uint32_t bits, unsigned by) {
  return __funnelshift_r(bits, bits, by);
}

/// The largest value of all lanes. All of them call it together.
CHANNELS_GPU_INLINE std::uint32_t most_of_wave(std::uint32_t value) {
#if defined(__CUDA_ARCH__)
  return __reduce_max_sync(~0U, value);
#else
  for (unsigned distance = wave_width / 2; distance != 0; distance /= 2) {
    value = max(value, of_lane(value, lane_index() ^ distance));
  }
  return value;
#endif
}

/// Brings the lanes of a wavefront together again where their ways had parted.
CHANNELS_GPU_INLINE void converge() {
#if defined(__HIP__)
  __builtin_amdgcn_wave_barrier();
#else
  __syncwarp();
#endif
}

/// What a lane of the wavefront has written before, another reads after it.
CHANNELS_GPU_INLINE void fence_in_wave() {
#if defined(__HIP_DEVICE_COMPILE__)
  __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "wavefront");
#else
  __threadfence_block();
#endif
  converge();
}

/// A word that the host writes while nobody waits for it.
template <class T>
CHANNELS_GPU_INLINE T peek(const T* word) {
  return *const_cast<const volatile T*>(word);
}

/// Leaves the machine to others for some hundred nanoseconds.
CHANNELS_GPU_INLINE void nap() {
#if defined(__HIP_DEVICE_COMPILE__)
  __builtin_amdgcn_s_sleep(8);
#elif defined(__CUDA_ARCH__)
  __nanosleep(200);
#endif
}

}  // namespace detail

}  // namespace channels::gpu

#endif
