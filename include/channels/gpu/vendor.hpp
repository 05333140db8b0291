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

#include <cstdint>      // fixed-width integers
#include <type_traits>  // is_trivially_copyable_v

#include "channels/atomic.hpp"

/// All that differs between the vendors: names of the host interface, what a wavefront can ask of
/// its lanes, and the spelling of atomics that only the device sees.

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

using channels::detail::order;

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

// Atomics at the scope of one device. What is called elsewhere than in device code never runs.

#if defined(__CUDA_ARCH__)
template <class T>
using shared_ref = cuda::atomic_ref<T, cuda::thread_scope_device>;
#endif

template <order O, class T>
CHANNELS_GPU_INLINE T load(const T* word) {
#if defined(__CUDA_ARCH__)
  return shared_ref<T>(*const_cast<T*>(word)).load(channels::detail::to_cuda(O));
#elif defined(__HIP_DEVICE_COMPILE__)
  return __hip_atomic_load(word, static_cast<int>(O), __HIP_MEMORY_SCOPE_AGENT);
#else
  return *word;
#endif
}

template <order O, class T>
CHANNELS_GPU_INLINE void store(T* word, std::type_identity_t<T> value) {
#if defined(__CUDA_ARCH__)
  shared_ref<T>(*word).store(value, channels::detail::to_cuda(O));
#elif defined(__HIP_DEVICE_COMPILE__)
  __hip_atomic_store(word, value, static_cast<int>(O), __HIP_MEMORY_SCOPE_AGENT);
#else
  *word = value;
#endif
}

/// Returns the value before the addition.
template <order O, class T>
CHANNELS_GPU_INLINE T fetch_add(T* word, std::type_identity_t<T> value) {
#if defined(__CUDA_ARCH__)
  return shared_ref<T>(*word).fetch_add(value, channels::detail::to_cuda(O));
#elif defined(__HIP_DEVICE_COMPILE__)
  return __hip_atomic_fetch_add(word, value, static_cast<int>(O), __HIP_MEMORY_SCOPE_AGENT);
#else
  return *word + value;
#endif
}

/// Returns the value before, which was `expected` if `*word` is `desired` now.
template <order O, class T>
CHANNELS_GPU_INLINE T swap_if([[maybe_unused]] T* word, T expected,
                              [[maybe_unused]] std::type_identity_t<T> desired) {
  [[maybe_unused]] constexpr order failure = channels::detail::on_failure(O);
#if defined(__CUDA_ARCH__)
  (void)shared_ref<T>(*word).compare_exchange_strong(
      expected, desired, channels::detail::to_cuda(O), channels::detail::to_cuda(failure));
#elif defined(__HIP_DEVICE_COMPILE__)
  (void)__hip_atomic_compare_exchange_strong(word, &expected, desired, static_cast<int>(O),
                                             static_cast<int>(failure), __HIP_MEMORY_SCOPE_AGENT);
#endif
  return expected;
}

/// Returns the value before.
template <order O, class T>
CHANNELS_GPU_INLINE T exchange(T* word, std::type_identity_t<T> value) {
#if defined(__CUDA_ARCH__)
  return shared_ref<T>(*word).exchange(value, channels::detail::to_cuda(O));
#elif defined(__HIP_DEVICE_COMPILE__)
  return __hip_atomic_exchange(word, value, static_cast<int>(O), __HIP_MEMORY_SCOPE_AGENT);
#else
  return *word == value ? value : *word;
#endif
}

/// Returns the bits before.
template <order O>
CHANNELS_GPU_INLINE std::uint32_t fetch_or(std::uint32_t* word, std::uint32_t bits) {
#if defined(__CUDA_ARCH__)
  return shared_ref<std::uint32_t>(*word).fetch_or(bits, channels::detail::to_cuda(O));
#elif defined(__HIP_DEVICE_COMPILE__)
  return __hip_atomic_fetch_or(word, bits, static_cast<int>(O), __HIP_MEMORY_SCOPE_AGENT);
#else
  return *word | bits;
#endif
}
template <order O>
CHANNELS_GPU_INLINE std::uint32_t fetch_and(std::uint32_t* word, std::uint32_t bits) {
#if defined(__CUDA_ARCH__)
  return shared_ref<std::uint32_t>(*word).fetch_and(bits, channels::detail::to_cuda(O));
#elif defined(__HIP_DEVICE_COMPILE__)
  return __hip_atomic_fetch_and(word, bits, static_cast<int>(O), __HIP_MEMORY_SCOPE_AGENT);
#else
  return *word & bits;
#endif
}

/// True if `*word` was `expected` and is now `desired`.
template <order O, class T>
CHANNELS_GPU_INLINE bool compare_exchange(T* word, T expected, std::type_identity_t<T> desired) {
  return swap_if<O>(word, expected, desired) == expected;
}

}  // namespace detail

}  // namespace channels::gpu

#endif
