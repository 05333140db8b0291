#pragma once

#include <cassert>  // assert

/// What port/compiler.hpp has for a GPU, for the CPU.

#define CHANNELS_GPU_INLINE inline
#define CHANNELS_GPU_UNROLL
#define CHANNELS_GPU_NO_UNROLL
#define CHANNELS_GPU_UNROLL_BY_FOUR
#define CHANNELS_GPU_ASSUME(condition) assert(condition)
#define CHANNELS_GPU_FUNCTION inline
#define CHANNELS_GPU_KERNEL inline void
#define CHANNELS_GPU_PARAMETER
#define CHANNELS_GPU_BATCH_KERNEL inline void
#define CHANNELS_GPU_PERSISTENT_KERNEL inline void
#define CHANNELS_GPU_VARIABLE inline
