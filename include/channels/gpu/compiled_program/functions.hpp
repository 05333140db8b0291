#pragma once

#include <cstddef>  // size_t
#include <cstdlib>  // abort
#include <cstring>  // memmove, memcmp

#include "channels/config.hpp"

/// Functions of C's library that vendors do not have for devices. A unit defines macros, after the
/// system's headers, which give them their usual names in its text; in C++ also those of `std`. Any
/// lane calls them.

static CHANNELS_DEVICE inline void* channels_cilk_memmove(void* to, const void* from,
                                                          std::size_t bytes) {
#if defined(__CUDACC__)
  return channels::nvcc::move(to, from, bytes);
#else
  return __builtin_memmove(to, from, bytes);
#endif
}
static CHANNELS_DEVICE inline int channels_cilk_memcmp(const void* a, const void* b,
                                                       std::size_t bytes) {
  const auto* const x = static_cast<const unsigned char*>(a);
  const auto* const y = static_cast<const unsigned char*>(b);
  for (std::size_t i = 0; i < bytes; ++i) {
    if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
  }
  return 0;
}
[[noreturn]] static CHANNELS_DEVICE inline void channels_cilk_abort() {
#if defined(__CUDA_ARCH__)
  __trap();
  __builtin_unreachable();
#elif defined(__HIP_DEVICE_COMPILE__)
  __builtin_trap();
#else
  std::abort();
#endif
}

#if defined(__HIP_DEVICE_COMPILE__)
// What Clang calls for its builtins of these names, such as the standard library's. A unit's code
// for the device is linked with nothing that has them.
extern "C" __device__ int memcmp(const void* a, const void* b, std::size_t bytes) {
  return channels_cilk_memcmp(a, b, bytes);
}
extern "C" __device__ std::size_t strlen(const char* text) {
  std::size_t length = 0;
  while (text[length] != '\0') ++length;
  return length;
}
#endif

// NOLINTNEXTLINE(cert-dcl58-cpp)
namespace std {
using ::channels_cilk_abort;
using ::channels_cilk_memcmp;
using ::channels_cilk_memmove;
}  // namespace std
