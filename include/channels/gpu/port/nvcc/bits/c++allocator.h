#pragma once

// What the library's containers allocate with. Its functions are of the host alone, and nvcc leaves
// their calls out in code for the device without a word: a vector in a task then has no memory. On
// the device a container's memory is what `malloc` in tasks gives.

#pragma GCC system_header

#include <cstddef>

#define __allocator_base __allocator_base_on_host
#include_next <bits/c++allocator.h>
#undef __allocator_base

#if defined(CHANNELS_CILK_UNIT)
// malloc.hpp has them.
__device__ inline void* channels_allocate_on_device(std::size_t bytes);
__device__ inline void channels_free_on_device(void* block);
#else
__device__ inline void* channels_allocate_on_device(std::size_t bytes) { return ::malloc(bytes); }
__device__ inline void channels_free_on_device(void* block) { ::free(block); }
#endif

namespace std {

template <class T>
struct __allocator_base_on_both : __allocator_base_on_host<T> {
  [[nodiscard]] constexpr T* allocate(size_t count, const void* = nullptr) {
#if defined(__CUDA_ARCH__)
    return static_cast<T*>(channels_allocate_on_device(count * sizeof(T)));
#else
    return __allocator_base_on_host<T>::allocate(count);
#endif
  }
  constexpr void deallocate(T* block, size_t count) {
#if defined(__CUDA_ARCH__)
    (void)count;
    channels_free_on_device(block);
#else
    __allocator_base_on_host<T>::deallocate(block, count);
#endif
  }
};

template <class T>
using __allocator_base = __allocator_base_on_both<T>;

}  // namespace std
