#pragma once

/// Every header that users include leaves out what it has where the language is older, so that this
/// is the only error.
#if __cplusplus >= 202002L
#define CHANNELS_CXX20 1
#else
#define CHANNELS_CXX20 0
#error channels needs C++20: compile with -std=c++20
#endif

#include <cstddef>  // size_t
#include <cstdint>  // fixed-width integers

/// Marks functions that host and device code share. For a plain C++ compiler it is empty.
#if defined(__CUDACC__) || defined(__HIP__)
#define CHANNELS_DEVICE __host__ __device__
#else
#define CHANNELS_DEVICE
#endif
/// What nvcc takes for the device's, and other compilers do as it is.
#if defined(__CUDACC__)
#define CHANNELS_CONSTANT constexpr
#else
#define CHANNELS_CONSTANT
#endif

/// Stands before functions that the host's lanes offer to kernel nodes. They are CHANNELS_DEVICE,
/// since bodies are, but call functions that only the host has. Nothing calls them on a device, and
/// this keeps nvcc from warning.
#if defined(__CUDACC__)
#define CHANNELS_FOR_HOST_LANES _Pragma("nv_exec_check_disable")
#else
#define CHANNELS_FOR_HOST_LANES
#endif

/// Inlining decides whether a lane's block cursors are in registers: functions of the hot loop are
/// CHANNELS_INLINE, and its slow paths (a block that ran out, a yield) are CHANNELS_COLD.
#if defined(__GNUC__) && !defined(__CUDA_ARCH__) && !defined(__HIP_DEVICE_COMPILE__)
#define CHANNELS_INLINE __attribute__((always_inline)) inline
#define CHANNELS_COLD __attribute__((noinline, cold))
#else
#define CHANNELS_INLINE inline
#define CHANNELS_COLD
#endif

/// Stands before a loop that a GPU's compiler must unroll, so that what it indexes is in registers.
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define CHANNELS_UNROLL _Pragma("unroll")
#else
#define CHANNELS_UNROLL
#endif

/// An `assert` for code that runs once for each lane, in builds that define CHANNELS_CHECKS only.
/// User code is mostly compiled without NDEBUG, and a plain `assert` there costs fib a third of its
/// speed.
#if defined(CHANNELS_CHECKS)
#include <cassert>  // assert
#define CHANNELS_CHECK(condition) assert(condition)
#else
#define CHANNELS_CHECK(condition) static_cast<void>(0)
#endif

namespace channels {

/// The size of a cache line in bytes: what two CPU cores, or two wavefronts, should not share if
/// both write. It is 64 on all devices so far.
inline constexpr std::size_t cache_line = 64;

}  // namespace channels
