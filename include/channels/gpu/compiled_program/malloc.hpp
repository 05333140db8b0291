#pragma once

#include <cstdlib>  // malloc, free

#include "channels/detail/heap_abi.hpp"
#include "channels/detail/heap_arena.hpp"
#include "channels/gpu/channels/arena_atomics.hpp"

/// malloc, calloc and free in the code of tasks. Any lane calls them. The memory is an arena that
/// the host reads, too; memory of CUDA's own malloc it could not read.
namespace channels::cilk {

inline namespace CHANNELS_CILK_ON {

/// The arena, for this unit's code. The host says where it is.
CHANNELS_CILK_ADDRESS(heap::arena, device_arena);

#if defined(CHANNELS_GPU_EMULATED) || defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define CHANNELS_CILK_ON_DEVICE 1
#else
#define CHANNELS_CILK_ON_DEVICE 0
#endif

CHANNELS_DEVICE inline void* device_malloc([[maybe_unused]] std::size_t bytes) {
#if defined(CHANNELS_GPU_EMULATED)
  // Without the heap of channels, under a sanitizer, only the sanitizer's free can free it.
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
  // The tasks run on the host, so they may free what the host allocated.
  std::free(block);
#else
  const auto distance = static_cast<const char*>(block) - reinterpret_cast<char*>(device_arena);
  // What the host allocated stays until the program ends: no lane can reach the host's heap.
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

// A unit defines macros, after the system's headers, which replace malloc, calloc and free in its
// text by these; in C++ also those of `std`.
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
