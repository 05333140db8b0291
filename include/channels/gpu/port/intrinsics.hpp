#pragma once

#if defined(CHANNELS_GPU_EMULATED)
#include "channels/gpu/port/emulation/intrinsics.hpp"
#else

#include <cstdint>  // fixed-width integers

#include "channels/gpu/port/compiler.hpp"

/// What a lane asks of its processor by itself: where it is, bits, the memory of its work-group.
namespace channels::gpu::detail {

/// A bit for each lane of a wavefront. A compiler for AMD's devices says how wide wavefronts are; a
/// wrong width would make a wrong program, without a word.
#if defined(__HIP_DEVICE_COMPILE__)
#if defined(__AMDGCN_WAVEFRONT_SIZE__)
#define CHANNELS_GPU_WAVE_WIDTH __AMDGCN_WAVEFRONT_SIZE__
#elif defined(__AMDGCN_WAVEFRONT_SIZE)
#define CHANNELS_GPU_WAVE_WIDTH __AMDGCN_WAVEFRONT_SIZE
#elif !defined(CHANNELS_GPU_WAVE_WIDTH)
#error \
    "this compiler does not say how wide wavefronts are: define CHANNELS_GPU_WAVE_WIDTH, 64 for gfx9 and 32 for gfx10 and later"
#endif
#else
#define CHANNELS_GPU_WAVE_WIDTH 32
#endif
#if CHANNELS_GPU_WAVE_WIDTH == 64
using lane_mask = std::uint64_t;
#else
using lane_mask = std::uint32_t;
#endif
inline constexpr unsigned wave_width = CHANNELS_GPU_WAVE_WIDTH;

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

/// The wavefront's number in the kernel, where work-groups have one wavefront.
CHANNELS_GPU_INLINE unsigned wave_index() { return blockIdx.x; }
/// Where work-groups have several wavefronts: the work-group's number, how many there are, and the
/// wavefront's number in its work-group.
CHANNELS_GPU_INLINE unsigned group_index() { return blockIdx.x; }
CHANNELS_GPU_INLINE unsigned group_count() { return gridDim.x; }
CHANNELS_GPU_INLINE unsigned wave_in_group() { return threadIdx.x / wave_width; }
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

/// A place in that memory whose address stays in a register: nvcc would compute it again wherever
/// it is used, with ten instructions.
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

CHANNELS_GPU_INLINE std::uint32_t rotate_right(std::uint32_t bits, unsigned by) {
  return __funnelshift_r(bits, bits, by);
}

/// Reads a word that the host writes at any time. Orders no memory.
template <class T>
CHANNELS_GPU_INLINE T peek(const T* word) {
  return *const_cast<const volatile T*>(word);
}

}  // namespace channels::gpu::detail

#endif
