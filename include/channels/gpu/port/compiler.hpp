#pragma once

/// What device code is marked with, and what its compiler is told. Every header of gpu/ that has
/// device code includes this first.

#if defined(CHANNELS_GPU_EMULATED)
#include "channels/gpu/port/emulation/compiler.hpp"
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

/// Device code that has to be inlined, so that what it gets by reference stays in registers.
#define CHANNELS_GPU_INLINE __device__ __forceinline__
/// A condition that the compiler may take for granted. It is not evaluated.
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
/// Before a loop whose count the compiler knows.
#define CHANNELS_GPU_UNROLL _Pragma("unroll")
/// Before a loop whose body is long.
#define CHANNELS_GPU_NO_UNROLL _Pragma("unroll 1")
#define CHANNELS_GPU_UNROLL_BY_FOUR _Pragma("unroll 4")
/// A kernel that runs a batch, with work-groups of several wavefronts.
#define CHANNELS_GPU_BATCH_KERNEL __global__ void __launch_bounds__(256)
/// Device code that is better called than inlined.
#define CHANNELS_GPU_FUNCTION __device__ __noinline__
/// A variable of the device.
#define CHANNELS_GPU_VARIABLE __device__
/// The persistent kernel that runs batches.
#define CHANNELS_GPU_PERSISTENT_KERNEL __global__ void __launch_bounds__(512, 2)
/// A kernel with work-groups of one wavefront.
#define CHANNELS_GPU_KERNEL __global__ void __launch_bounds__(channels::gpu::detail::wave_width)

/// A parameter of a kernel that is only read: its address is taken without making a copy.
#if defined(__HIP__)
#define CHANNELS_GPU_PARAMETER
#else
#define CHANNELS_GPU_PARAMETER __grid_constant__
#endif

#endif
