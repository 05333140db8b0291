#pragma once

#include "channels/detail/heap_arena.hpp"
#include "channels/gpu/channels/arena_atomics.hpp"

/// What tasks that go through channels on a GPU allocate besides their frames.
namespace channels::gpu::detail {

/// Stands before each piece, and keeps it aligned to 16 bytes.
struct alignas(16) task_block {
  task_block* next;
};

/// What one frame has allocated.
struct task_blocks {
  task_block* first;
  std::uint32_t granted;  ///< 1: it may also have what is kept
};

/// The memory of one run, in two arenas. A task that has some and wants more must not wait for
/// others that do the same. So any task may have the first, and the second is kept for frames
/// that the host lets go on one by one when nothing else can: at most one of each level, until it
/// ends.
struct task_heap {
  heap::arena* open;
  heap::arena* kept;
  std::uint64_t* missed;  ///< in the host's memory: bytes that such a frame asked for in vain

  /// One lane: memory for a frame; null if there is none now.
  CHANNELS_GPU_INLINE void* take(task_blocks& blocks, std::uint64_t bytes) const {
    constexpr std::uint64_t head = sizeof(task_block);
    // A size that the program computed may be close to the largest number there is.
    const std::uint64_t all = bytes < ~std::uint64_t{0} - head ? bytes + head : bytes;
    void* place = open->take<arena_atomics>(all);
    if (place == nullptr && blocks.granted != 0) {
      place = kept->take<arena_atomics>(all);
      // Relaxed: the host reads it when the batch has ended.
      if (place == nullptr) channels::detail::atomic_store<order::relaxed>(missed, bytes);
    }
    if (place == nullptr) return nullptr;
    auto* const block = static_cast<task_block*>(place);
    block->next = blocks.first;
    blocks.first = block;
    return block + 1;
  }
  /// One lane: gives back all that a frame has.
  CHANNELS_GPU_INLINE void give_back(task_blocks& blocks) const {
    task_block* next = nullptr;
    for (task_block* each = blocks.first; each != nullptr; each = next) {
      next = each->next;
      (kept->holds(each) ? kept : open)->give_back<arena_atomics>(each);
    }
    blocks.first = nullptr;
  }
};

}  // namespace channels::gpu::detail
