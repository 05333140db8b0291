#pragma once

#include <cstddef>  // size_t
#include <cstdint>  // fixed-width integers

/// Marks what host and device code share. A plain C++ compiler sees nothing.
#if defined(__CUDACC__) || defined(__HIP__)
#define CHANNELS_DEVICE __host__ __device__
#else
#define CHANNELS_DEVICE
#endif

/// Before what the host's lanes offer to kernel nodes. It is CHANNELS_DEVICE, since bodies are, and
/// calls what only the host has: nvcc would warn, though nothing calls it on a device.
#if defined(__CUDACC__)
#define CHANNELS_FOR_HOST_LANES _Pragma("nv_exec_check_disable")
#else
#define CHANNELS_FOR_HOST_LANES
#endif

/// Inlining decides whether a lane's block cursors live in registers: the hot loop asks for it, and
/// the slow paths (a block that ran out, a yield) are kept out of it.
#if defined(__GNUC__) && !defined(__CUDA_ARCH__) && !defined(__HIP_DEVICE_COMPILE__)
#define CHANNELS_INLINE __attribute__((always_inline)) inline
#define CHANNELS_COLD __attribute__((noinline, cold))
#else
#define CHANNELS_INLINE inline
#define CHANNELS_COLD
#endif

/// Before a loop that a GPU's compiler has to unroll, for what it indexes to be in registers.
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define CHANNELS_UNROLL _Pragma("unroll")
#else
#define CHANNELS_UNROLL
#endif

/// A check in code that runs once for each lane. Only builds that define CHANNELS_CHECKS pay for
/// it: user code is mostly compiled without NDEBUG, and an `assert` there costs fib a third of its
/// speed.
#if defined(CHANNELS_CHECKS)
#include <cassert>  // assert
#define CHANNELS_CHECK(condition) assert(condition)
#else
#define CHANNELS_CHECK(condition) static_cast<void>(0)
#endif

namespace channels {

/// Bytes that two CPU cores, or two wavefronts, must not share if both write. 64 on every device we
/// know.
inline constexpr std::size_t cache_line = 64;

}  // namespace channels
