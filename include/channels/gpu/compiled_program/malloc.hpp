#pragma once

#include <cstdlib>  // malloc, free, realloc, posix_memalign
#include <new>      // align_val_t

#include "channels/detail/heap_abi.hpp"
#include "channels/detail/heap_arena.hpp"
#include "channels/gpu/channels/arena_atomics.hpp"
#include "channels/gpu/compiled_program/allocation_failure.hpp"
#include "channels/gpu/scheduler/host_step_lane.hpp"  // takes_host_step

/// malloc, free and their like in the code of tasks. Any lane calls them. The memory is an arena
/// that the host reads, too; memory of CUDA's own malloc it could not read. They never return null:
/// if there is no room the lane waits for others to free some, and if nothing is freed for long the
/// run ends with an error. In a step that the host takes they are the program's own, whose memory
/// lanes reach, too; what then belongs to the other side is freed when the run is over.
namespace channels::cilk {

inline namespace CHANNELS_CILK_ON {

/// The arena, for this unit's code. The host says where it is. What uses it is static, too: units
/// of an emulated device are linked, and would share one unit's functions.
CHANNELS_CILK_ADDRESS(heap::arena, device_arena);
/// Where a lane tells the host that it has waited for too long.
CHANNELS_CILK_ADDRESS(allocation_failure, device_allocation_failure);

#if defined(CHANNELS_GPU_EMULATED) || defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define CHANNELS_CILK_ON_DEVICE 1
#else
#define CHANNELS_CILK_ON_DEVICE 0
#endif

/// Takes memory when the arena had none. Others may free some meanwhile: other wavefronts, and on
/// devices whose lanes go on by themselves other lanes of this one. Does not return if nothing is
/// freed for `longest_malloc_wait_ns`.
static CHANNELS_GPU_FUNCTION void* wait_for_memory(std::size_t bytes, call_place from) {
  using atomics = gpu::detail::arena_atomics;
  constexpr unsigned looks_between_counts = 256;
  std::uint64_t changes = device_arena->changes<atomics>();
  std::uint64_t since = gpu::detail::clock_ns();
  for (unsigned looks = 1;; ++looks) {
    if (void* const block = device_arena->take<atomics>(bytes)) return block;
    if (void* const block = device_arena->take_larger<atomics>(bytes)) return block;
    gpu::detail::nap();
    if (looks % looks_between_counts != 0) continue;
    const std::uint64_t now = device_arena->changes<atomics>();
    if (now != changes) {
      changes = now;
      since = gpu::detail::clock_ns();
    } else if (gpu::detail::clock_ns() - since >
               gpu::program_memory_tuning::longest_malloc_wait_ns) {
      break;
    }
  }
  if (atomics::take(&device_arena->gave_up, 0, 1)) {
    device_allocation_failure->tell(bytes, from);
  } else {
    // A trap ends all lanes. The one that tells the host comes first.
    since = gpu::detail::clock_ns();
    while (gpu::detail::clock_ns() - since < gpu::program_memory_tuning::longest_malloc_wait_ns)
      gpu::detail::nap();
  }
  gpu::detail::trap();
  return nullptr;
}

#if defined(CHANNELS_GPU_EMULATED) || !CHANNELS_CILK_ON_DEVICE
/// Whether memory is the program's own here: in a step that the host takes, and on an emulated
/// device also without the heap of channels, under a sanitizer, as only the sanitizer's free can
/// free it.
static inline bool is_on_host() {
#if CHANNELS_CILK_ON_DEVICE
  return gpu::detail::takes_host_step || &channels_heap_add_arena == nullptr;
#else
  return true;
#endif
}
static inline void* host_aligned_alloc(std::size_t alignment, std::size_t bytes) {
  void* block = nullptr;
  const std::size_t least = sizeof block;
  return posix_memalign(&block, alignment < least ? least : alignment, bytes) == 0 ? block
                                                                                   : nullptr;
}
#define CHANNELS_CILK_ON_HOST(...) \
  if (is_on_host()) return __VA_ARGS__
#else
#define CHANNELS_CILK_ON_HOST(...) (void)0
#endif

CHANNELS_DEVICE static inline void* device_malloc([[maybe_unused]] std::size_t bytes,
                                                  [[maybe_unused]] call_place from) {
  CHANNELS_CILK_ON_HOST(std::malloc(bytes));
#if CHANNELS_CILK_ON_DEVICE
  void* const block = device_arena->take<gpu::detail::arena_atomics>(bytes);
  return block != nullptr ? block : wait_for_memory(bytes, from);
#endif
}
CHANNELS_DEVICE static inline void device_free([[maybe_unused]] void* block) {
#if defined(CHANNELS_GPU_EMULATED) || !CHANNELS_CILK_ON_DEVICE
  // The tasks of an emulated device run on the host, so they may free what the host allocated.
  std::free(block);
#else
  if (block == nullptr) return;
  // No lane can reach the host's heap.
  if (device_arena->holds(block)) {
    device_arena->give_back<gpu::detail::arena_atomics>(block);
  } else if (device_arena->keep<gpu::detail::arena_atomics>(block)) {
    // The host reads it when the kernel is over.
    *const_cast<volatile std::uint32_t*>(&device_allocation_failure->keeps) = 1;
  }
#endif
}
CHANNELS_DEVICE static inline void* device_calloc(std::size_t count, std::size_t bytes,
                                                  call_place from) {
  if (bytes != 0 && count > ~std::size_t{0} / bytes) return nullptr;
  void* const block = device_malloc(count * bytes, from);
  if (block != nullptr) memset(block, 0, count * bytes);
  return block;
}

/// `alignment`: a power of two.
CHANNELS_DEVICE static inline void* device_aligned_alloc([[maybe_unused]] std::size_t alignment,
                                                         [[maybe_unused]] std::size_t bytes,
                                                         [[maybe_unused]] call_place from) {
  CHANNELS_CILK_ON_HOST(host_aligned_alloc(alignment, bytes));
#if CHANNELS_CILK_ON_DEVICE
  if (alignment <= heap::arena::unit) return device_malloc(bytes, from);
  if (bytes + alignment < bytes) return nullptr;
  return device_arena->aligned(device_malloc(bytes + alignment, from), alignment);
#endif
}
/// What the host allocated has no size that a lane of a GPU could read: the run ends.
CHANNELS_DEVICE static inline void* device_realloc([[maybe_unused]] void* block,
                                                   [[maybe_unused]] std::size_t bytes,
                                                   [[maybe_unused]] call_place from) {
  if (block == nullptr) return device_malloc(bytes, from);
#if defined(CHANNELS_GPU_EMULATED) || !CHANNELS_CILK_ON_DEVICE
  // The host knows all blocks.
  return std::realloc(block, bytes);
#else
  if (bytes == 0) {
    device_free(block);
    return nullptr;
  }
  if (!device_arena->holds(block)) gpu::detail::trap();
  const std::uint64_t now = device_arena->size_of(block);
  if (bytes <= now) return block;
  void* const larger = device_malloc(bytes, from);
  if (larger == nullptr) return nullptr;
  memcpy(larger, block, now);
  device_free(block);
  return larger;
#endif
}
#undef CHANNELS_CILK_ON_HOST

}  // namespace CHANNELS_CILK_ON

}  // namespace channels::cilk

// A unit defines macros, after the system's headers, which replace malloc, calloc and free in its
// text by these; in C++ also those of `std`.
static CHANNELS_DEVICE inline void* channels_cilk_malloc(
    std::size_t bytes, const char* file = __builtin_FILE(),
    const char* function = __builtin_FUNCTION(), std::uint32_t line = __builtin_LINE()) {
  return channels::cilk::device_malloc(bytes, {file, function, line});
}
static CHANNELS_DEVICE inline void* channels_cilk_calloc(
    std::size_t count, std::size_t bytes, const char* file = __builtin_FILE(),
    const char* function = __builtin_FUNCTION(), std::uint32_t line = __builtin_LINE()) {
  return channels::cilk::device_calloc(count, bytes, {file, function, line});
}
static CHANNELS_DEVICE inline void* channels_cilk_realloc(
    void* block, std::size_t bytes, const char* file = __builtin_FILE(),
    const char* function = __builtin_FUNCTION(), std::uint32_t line = __builtin_LINE()) {
  return channels::cilk::device_realloc(block, bytes, {file, function, line});
}
static CHANNELS_DEVICE inline void* channels_cilk_aligned_alloc(
    std::size_t alignment, std::size_t bytes, const char* file = __builtin_FILE(),
    const char* function = __builtin_FUNCTION(), std::uint32_t line = __builtin_LINE()) {
  return channels::cilk::device_aligned_alloc(alignment, bytes, {file, function, line});
}
static CHANNELS_DEVICE inline int channels_cilk_posix_memalign(
    void** block, std::size_t alignment, std::size_t bytes, const char* file = __builtin_FILE(),
    const char* function = __builtin_FUNCTION(), std::uint32_t line = __builtin_LINE()) {
  constexpr int wrong_alignment = 22;  // EINVAL
  constexpr int no_memory = 12;        // ENOMEM
  if (alignment % sizeof(void*) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0)
    return wrong_alignment;
  void* const made = channels::cilk::device_aligned_alloc(alignment, bytes, {file, function, line});
  if (made == nullptr) return no_memory;
  *block = made;
  return 0;
}
static CHANNELS_DEVICE inline void* channels_cilk__mm_malloc(
    std::size_t bytes, std::size_t alignment, const char* file = __builtin_FILE(),
    const char* function = __builtin_FUNCTION(), std::uint32_t line = __builtin_LINE()) {
  return channels::cilk::device_aligned_alloc(alignment, bytes, {file, function, line});
}
static CHANNELS_DEVICE inline void channels_cilk_free(void* block) {
  channels::cilk::device_free(block);
}
static CHANNELS_DEVICE inline void channels_cilk__mm_free(void* block) {
  channels::cilk::device_free(block);
}
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
// What `new` and `delete` of tasks are, and what containers of the library allocate with: of a
// vendor's own the host could neither read nor delete an object. Only for the device: nvcc would
// give the host functions of these names that end it.
__device__ void* operator new(std::size_t bytes) {
  return channels::cilk::device_malloc(bytes, {"new in a task", "", 0});
}
__device__ void* operator new[](std::size_t bytes) { return ::operator new(bytes); }
__device__ void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return channels::cilk::device_aligned_alloc(static_cast<std::size_t>(alignment), bytes,
                                              {"new in a task", "", 0});
}
__device__ void* operator new[](std::size_t bytes, std::align_val_t alignment) {
  return ::operator new(bytes, alignment);
}
__device__ void operator delete(void* block) noexcept { channels::cilk::device_free(block); }
__device__ void operator delete[](void* block) noexcept { channels::cilk::device_free(block); }
__device__ void operator delete(void* block, std::size_t /*bytes*/) noexcept {
  channels::cilk::device_free(block);
}
__device__ void operator delete[](void* block, std::size_t /*bytes*/) noexcept {
  channels::cilk::device_free(block);
}
__device__ void operator delete(void* block, std::align_val_t /*alignment*/) noexcept {
  channels::cilk::device_free(block);
}
__device__ void operator delete[](void* block, std::align_val_t /*alignment*/) noexcept {
  channels::cilk::device_free(block);
}
__device__ void operator delete(void* block, std::size_t /*bytes*/,
                                std::align_val_t /*alignment*/) noexcept {
  channels::cilk::device_free(block);
}
__device__ void operator delete[](void* block, std::size_t /*bytes*/,
                                  std::align_val_t /*alignment*/) noexcept {
  channels::cilk::device_free(block);
}
#endif

// NOLINTNEXTLINE(cert-dcl58-cpp)
namespace std {
using ::channels_cilk_aligned_alloc;
using ::channels_cilk_calloc;
using ::channels_cilk_free;
using ::channels_cilk_malloc;
using ::channels_cilk_realloc;
}  // namespace std
