#pragma once

#if defined(CHANNELS_GPU_EMULATED)
#include "channels/gpu/port/emulation/intrinsics.hpp"
#else

#if !defined(__CUDACC__) && !defined(__HIP__)
#error "channels/gpu is for nvcc and hipcc"
#endif

#if defined(__CUDACC_RELAXED_CONSTEXPR__) && !defined(CHANNELS_NVCC_BUILTINS)
#error \
    "nvcc --expt-relaxed-constexpr wants -I include/channels/gpu/port/nvcc, too: else it drops, without a word, calls of the compiler's builtins in the standard library (std::copy, std::countr_zero)"
#endif

#if defined(__HIP__)
#include <hip/hip_runtime.h>
#else
#include <cuda_runtime.h>
#endif

#include <cstdint>      // fixed-width integers
#include <type_traits>  // type_identity_t

#include "channels/detail/atomic.hpp"

/// All that differs between the vendors: names of the host interface, what a wavefront can ask of
/// its lanes. (Atomics: channels/detail/atomic.hpp.)

#if defined(__HIP__)
#define CHANNELS_GPU(name) hip##name
#else
#define CHANNELS_GPU(name) cuda##name
#endif

/// Device code that has to disappear into its caller, so that what it is given by reference stays
/// in registers.
#define CHANNELS_GPU_INLINE __device__ __forceinline__
/// What the compiler may take for granted; nothing of it is done.
#if defined(__HIP__)
#define CHANNELS_GPU_ASSUME(condition) \
  do {                                 \
    if (!(condition)) {                \
      __builtin_unreachable();         \
    }                                  \
  } while (false)
#else
#define CHANNELS_GPU_ASSUME(condition) __builtin_assume(condition)
#endif
/// Before a loop whose count is known when it is compiled.
#define CHANNELS_GPU_UNROLL _Pragma("unroll")
/// Before one whose body is long.
#define CHANNELS_GPU_NO_UNROLL _Pragma("unroll 1")
#define CHANNELS_GPU_UNROLL_BY_FOUR _Pragma("unroll 4")
/// A kernel that runs a batch, with work-groups of several wavefronts.
#define CHANNELS_GPU_BATCH_KERNEL __global__ void __launch_bounds__(256)
/// Device code that is better called.
#define CHANNELS_GPU_FUNCTION __device__ __noinline__
/// A variable of the device.
#define CHANNELS_GPU_VARIABLE __device__
/// The kernel that stays and runs batches.
#define CHANNELS_GPU_PERSISTENT_KERNEL __global__ void __launch_bounds__(512, 2)
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
/// Sees to it that lanes' stacks are at least so large; here the driver does.
inline error_code ask_for_stack(std::size_t /*bytes*/) { return hipSuccess; }
inline constexpr auto unit_count = hipDeviceAttributeMultiprocessorCount;
inline constexpr const char* unit_name = "compute unit";
inline constexpr auto wave_lanes = hipDeviceAttributeWarpSize;
/// Bytes that a work-group may have in its own memory.
inline constexpr std::size_t most_group_memory = std::size_t{64} << 10U;
#else
inline error_code allocate_pinned(void** p, std::size_t bytes) {
  return cudaHostAlloc(p, bytes, cudaHostAllocMapped);
}
inline error_code free_pinned(void* p) { return cudaFreeHost(p); }
/// Sees to it that lanes' stacks are at least so large.
inline error_code ask_for_stack(std::size_t bytes) {
  std::size_t now = 0;
  const error_code code = cudaDeviceGetLimit(&now, cudaLimitStackSize);
  if (code != cudaSuccess || now >= bytes) return code;
  return cudaDeviceSetLimit(cudaLimitStackSize, bytes);
}
inline constexpr auto unit_count = cudaDevAttrMultiProcessorCount;
inline constexpr const char* unit_name = "SM";
inline constexpr auto wave_lanes = cudaDevAttrWarpSize;
/// Bytes that a work-group may have in its own memory.
inline constexpr std::size_t most_group_memory = std::size_t{200} << 10U;
#endif

/// Of a batch: wavefronts of a work-group, and work-groups of a compute unit.
inline constexpr unsigned batch_waves = 4;
inline constexpr unsigned batch_groups = 16;
/// Work-items of a work-group of the kernel that stays and runs batches.
inline constexpr unsigned persistent_items = 512;
inline constexpr unsigned least_persistent_groups = 2;
/// Bytes of a lane's stack for its share of a leaf, in the kernel that stays: it calls nodes by
/// address, with few registers for each lane, so that no compiler knows what they need.
inline constexpr std::size_t leaf_stack_bytes = 4096;

inline constexpr error_code success = CHANNELS_GPU(Success);

/// What a variable of the device holds.
template <class T>
error_code read_variable(T& to, const T& variable) {
#if defined(__HIP__)
  return hipMemcpyFromSymbol(&to, HIP_SYMBOL(variable), sizeof to);
#else
  return cudaMemcpyFromSymbol(&to, variable, sizeof to);
#endif
}

/// Between two looks of the host at memory that the device writes to.
inline void host_nap() {}

/// Starts a kernel with so many work-groups, of so many work-items and so many bytes of memory of
/// their own each.
template <class... Parameters>
void launch(void (*kernel)(Parameters...), unsigned groups, unsigned items,
            std::size_t group_memory, stream_handle stream,
            const std::type_identity_t<Parameters>&... parameters) {
  kernel<<<groups, items, group_memory, stream>>>(parameters...);
}

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
/// Where work-groups have several wavefronts.
CHANNELS_GPU_INLINE unsigned group_index() { return blockIdx.x; }
CHANNELS_GPU_INLINE unsigned group_count() { return gridDim.x; }
CHANNELS_GPU_INLINE unsigned wave_in_group() { return threadIdx.x / wave_width; }
/// What a work-item of the work-group has written before, another reads after it.
CHANNELS_GPU_INLINE void group_barrier() { __syncthreads(); }
/// A number for the compute unit that runs this, or, where it is not told, for this wavefront.
#if defined(__HIP__)
inline constexpr bool tells_units = false;
#else
inline constexpr bool tells_units = true;
#endif
CHANNELS_GPU_INLINE unsigned compute_unit() {
#if defined(__CUDA_ARCH__)
  unsigned unit = 0;
  asm("mov.u32 %0, %%smid;" : "=r"(unit));
  return unit;
#else
  return wave_index();
#endif
}
/// The work-item's number among all.
CHANNELS_GPU_INLINE unsigned item_index() { return blockIdx.x * blockDim.x + threadIdx.x; }
/// The memory of the work-group that was asked for when the kernel was started.
CHANNELS_GPU_INLINE std::uint32_t* group_memory() {
  extern __shared__ __align__(16) std::uint32_t memory[];
  return memory;
}

/// A place in it that stays in a register: nvcc works the address of the whole out anew wherever it
/// is used, with ten instructions.
CHANNELS_GPU_INLINE std::uint32_t* kept_group_memory(std::uint32_t first_word = 0) {
#if defined(__CUDA_ARCH__)
  auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(group_memory() + first_word));
  asm volatile("" : "+r"(address));
  return static_cast<std::uint32_t*>(__cvta_shared_to_generic(address));
#else
  return group_memory() + first_word;
#endif
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

/// The sum over all lanes. All of them call it together.
CHANNELS_GPU_INLINE std::uint32_t total_of_wave(std::uint32_t value) {
#if defined(__CUDA_ARCH__)
  return __reduce_add_sync(~0U, value);
#else
  for (unsigned distance = wave_width / 2; distance != 0; distance /= 2) {
    value += of_lane(value, lane_index() ^ distance);
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

/// Whether the code at hand has barriers in a work-group's memory.
#if defined(__CUDA_ARCH__)
#define CHANNELS_GPU_HAS_MBARRIER (__CUDA_ARCH__ >= 800)
#else
#define CHANNELS_GPU_HAS_MBARRIER 0
#endif

/// What a lane of the wavefront has written before, another reads after it.
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

/// Fences between the wavefronts of a device: what all lanes of this one have written before (and
/// seen: they are in step) is there for who acquires it, and the other way round. Atomic operations
/// beside them need no order of their own.
CHANNELS_GPU_INLINE void release_to_device() {
#if defined(__HIP_DEVICE_COMPILE__)
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent");
#elif defined(__CUDA_ARCH__)
  cuda::atomic_thread_fence(cuda::std::memory_order_release, cuda::thread_scope_device);
#endif
}
CHANNELS_GPU_INLINE void acquire_from_device() {
#if defined(__HIP_DEVICE_COMPILE__)
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "agent");
#elif defined(__CUDA_ARCH__)
  cuda::atomic_thread_fence(cuda::std::memory_order_acquire, cuda::thread_scope_device);
#endif
}
/// Likewise for the host, too.
CHANNELS_GPU_INLINE void release_to_system() {
#if defined(__HIP_DEVICE_COMPILE__)
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "");
#elif defined(__CUDA_ARCH__)
  cuda::atomic_thread_fence(cuda::std::memory_order_release, cuda::thread_scope_system);
#endif
}
CHANNELS_GPU_INLINE void acquire_from_system() {
#if defined(__HIP_DEVICE_COMPILE__)
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "");
#elif defined(__CUDA_ARCH__)
  cuda::atomic_thread_fence(cuda::std::memory_order_acquire, cuda::thread_scope_system);
#endif
}
inline constexpr auto order_beside_fences = channels::detail::order::relaxed;
inline constexpr auto release_beside_fence = channels::detail::order::relaxed;
inline constexpr auto acquire_beside_fence = channels::detail::order::relaxed;

/// The lanes that happen to be here together.
CHANNELS_GPU_INLINE lane_mask lanes_here() {
#if defined(__HIP__)
  return static_cast<lane_mask>(__ballot(1));
#else
  return __activemask();
#endif
}
/// For the lanes `here`, and only for them.
CHANNELS_GPU_INLINE lane_mask ballot_of([[maybe_unused]] lane_mask here, bool condition) {
#if defined(__HIP__)
  return static_cast<lane_mask>(__ballot(condition ? 1 : 0));
#else
  return __ballot_sync(here, condition);
#endif
}
CHANNELS_GPU_INLINE std::uint32_t of_leader(lane_mask here, std::uint32_t value) {
  const auto leader = static_cast<int>(first(here));
#if defined(__HIP__)
  return __shfl(value, leader, static_cast<int>(wave_width));
#else
  return __shfl_sync(here, value, leader);
#endif
}
/// The first of `all` numbers from a counter for the lanes `here`, with one atomic; `limit` or more
/// if the counter is there already: it stays as it is.
CHANNELS_GPU_INLINE std::uint32_t claim_for(lane_mask here, std::uint32_t* counter,
                                            std::uint32_t all, std::uint32_t limit, bool look) {
  std::uint32_t start = limit;
  const bool looks = ballot_of(here, look) != 0;
  if (lane_index() == first(here) &&
      (!looks || channels::detail::atomic_load<channels::detail::order::relaxed,
                                               channels::detail::scope::device>(counter) < limit)) {
    start = atomicAdd(counter, all);
  }
  return of_leader(here, start);
}

/// Takes a number from a counter: those lanes that happen to be here together with one atomic
/// (paper, section 3.2.2).
CHANNELS_GPU_INLINE std::uint32_t claim(std::uint32_t* counter) {
  const lane_mask here = lanes_here();
  std::uint32_t start = 0;
  if (lane_index() == first(here)) start = atomicAdd(counter, count(here));
  return of_leader(here, start) + rank_in(here);
}
/// Likewise. What is at or beyond `limit` is not there. `look`: whether the counter stays as it is
/// if it is there already, and not only as long as it does not overflow.
CHANNELS_GPU_INLINE std::uint32_t claim_one(std::uint32_t* counter, std::uint32_t limit,
                                            bool look = true) {
  const lane_mask here = lanes_here();
  return claim_for(here, counter, count(here), limit, look) + rank_in(here);
}
/// Takes `numbers` in the same way, and returns the first of them.
CHANNELS_GPU_INLINE std::uint32_t claim(std::uint32_t* counter, std::uint32_t numbers,
                                        std::uint32_t limit, bool look = true) {
  const lane_mask here = lanes_here();
  // Bit by bit, what all lanes want, and those before this one.
  std::uint32_t all = 0;
  std::uint32_t before = 0;
  for (unsigned bit = 0; ballot_of(here, (numbers >> bit) != 0) != 0; ++bit) {
    const lane_mask with = ballot_of(here, (numbers >> bit & 1U) != 0);
    all += count(with) << bit;
    before += rank_in(with) << bit;
  }
  return claim_for(here, counter, all, limit, look) + before;
}

/// A word that the host writes while nobody waits for it.
template <class T>
CHANNELS_GPU_INLINE T peek(const T* word) {
  return *const_cast<const volatile T*>(word);
}

/// Adds one to number `which` of `counters`, for each lane that is here: those that happen to be
/// here together for the same one with one atomic. Release: who acquires the count sees what these
/// lanes did before.
CHANNELS_GPU_INLINE void tally(std::uint32_t* counters, std::uint32_t which) {
  using channels::detail::order;
  using channels::detail::scope;
#if defined(__HIP__)
  for (;;) {
    const auto one = static_cast<std::uint32_t>(__shfl(
        static_cast<int>(which), static_cast<int>(first(static_cast<lane_mask>(__ballot(1)))),
        static_cast<int>(wave_width)));
    if (which != one) continue;
    const auto same = static_cast<lane_mask>(__ballot(1));
    if (lane_index() == first(same)) {
      channels::detail::atomic_fetch_add<order::release, scope::device>(counters + which,
                                                                        count(same));
    }
    return;
  }
#elif defined(__CUDA_ARCH__)
  const lane_mask same = __match_any_sync(__activemask(), which);
  __syncwarp(same);  // what each of them did comes before what the first does
  if (lane_index() == first(same)) {
    channels::detail::atomic_fetch_add<order::release, scope::device>(counters + which,
                                                                      count(same));
  }
#endif
}

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

/// Between two looks at what another wavefront is about to write.
CHANNELS_GPU_INLINE void relax() {}
/// Where an emulated device lets lanes get out of step.
CHANNELS_GPU_INLINE void stumble() {}

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
