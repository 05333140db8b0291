#pragma once

#include <cstdlib>  // malloc, free

#include "channels/detail/heap_abi.hpp"
#include "channels/detail/heap_arena.hpp"
#include "channels/gpu/channels/arena_atomics.hpp"

/// malloc and its family in the code of tasks. CUDA's own gives memory that the host cannot read.
namespace channels::cilk {

inline namespace CHANNELS_CILK_ON {

/// Of this unit; the host says where it is.
CHANNELS_CILK_ADDRESS(heap::arena, device_arena);

#if defined(CHANNELS_GPU_EMULATED) || defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define CHANNELS_CILK_ON_DEVICE 1
#else
#define CHANNELS_CILK_ON_DEVICE 0
#endif

CHANNELS_DEVICE inline void* device_malloc([[maybe_unused]] std::size_t bytes) {
#if defined(CHANNELS_GPU_EMULATED)
  // Without a heap of ours (under a sanitizer) nobody else could free it.
  if (&channels_heap_add_arena == nullptr) return std::malloc(bytes);
#endif
#if CHANNELS_CILK_ON_DEVICE
  return device_arena->take<gpu::detail::arena_atomics>(bytes);
#else
  return nullptr;
#endif
}
CHANNELS_DEVICE inline void device_free([[maybe_unused]] void* block) {
#if CHANNELS_CILK_ON_DEVICE
  if (block == nullptr) return;
#if defined(CHANNELS_GPU_EMULATED)
  // A task may free what the host allocated where the host can.
  std::free(block);
#else
  const auto distance = static_cast<const char*>(block) - reinterpret_cast<char*>(device_arena);
  // What the host allocated is left to the host's end: no lane can reach its heap.
  if (distance < 0 ||
      static_cast<std::uint64_t>(distance) >= device_arena->units * heap::arena::unit)
    return;
  device_arena->give_back<gpu::detail::arena_atomics>(block);
#endif
#endif
}
CHANNELS_DEVICE inline void* device_calloc(std::size_t count, std::size_t bytes) {
  if (bytes != 0 && count > ~std::size_t{0} / bytes) return nullptr;
  void* const block = device_malloc(count * bytes);
  if (block != nullptr) memset(block, 0, count * bytes);
  return block;
}

}  // namespace CHANNELS_CILK_ON

}  // namespace channels::cilk

// What malloc, calloc and free are called in the unit's text, by macros that it defines behind the
// system's headers; in C++ also those of `std`.
static CHANNELS_DEVICE inline void* channels_cilk_malloc(std::size_t bytes) {
  return channels::cilk::device_malloc(bytes);
}
static CHANNELS_DEVICE inline void* channels_cilk_calloc(std::size_t count, std::size_t bytes) {
  return channels::cilk::device_calloc(count, bytes);
}
static CHANNELS_DEVICE inline void channels_cilk_free(void* block) {
  channels::cilk::device_free(block);
}
// NOLINTNEXTLINE(cert-dcl58-cpp)
namespace std {
using ::channels_cilk_calloc;
using ::channels_cilk_free;
using ::channels_cilk_malloc;
}  // namespace std
