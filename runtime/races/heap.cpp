// The program's malloc and its family: the C library's, watched. What is freed is forgotten, so
// that memory that is used again does not race with its former life; to free a block counts as
// writing it.

#include <cerrno>   // ENOMEM, EINVAL
#include <cstring>  // memset
#include <new>      // bad_alloc

#include <sys/mman.h>

#include "runtime/races/detector.hpp"
#include "runtime/races/mapped.hpp"

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);
}

namespace channels::races {
namespace {

/// The blocks that are in use, by their address: open addressing, with memory of its own.
class block_table {
 public:
  void add(const known_block& block) {
    if ((used_ + 1) * 2 > room_) grow();
    put(block);
  }
  [[nodiscard]] known_block find(std::uintptr_t begin) const {
    if (room_ == 0) return {};
    for (std::size_t at = slot(begin); all_[at].begin != 0; at = (at + 1) & (room_ - 1)) {
      if (all_[at].begin == begin) return all_[at];
    }
    return {};
  }
  void remove(std::uintptr_t begin) {
    if (room_ == 0) return;
    std::size_t at = slot(begin);
    for (; all_[at].begin != begin; at = (at + 1) & (room_ - 1)) {
      if (all_[at].begin == 0) return;
    }
    all_[at] = {};
    --used_;
    for (std::size_t next = (at + 1) & (room_ - 1); all_[next].begin != 0;
         next = (next + 1) & (room_ - 1)) {
      const known_block moved = all_[next];
      all_[next] = {};
      --used_;
      put(moved);
    }
  }
  [[nodiscard]] known_block holding(std::uintptr_t address) const {
    for (std::size_t i = 0; i < room_; ++i) {
      if (all_[i].begin != 0 && address - all_[i].begin < all_[i].bytes) return all_[i];
    }
    return {};
  }

 private:
  [[nodiscard]] std::size_t slot(std::uintptr_t begin) const {
    return ((begin >> 4U) * 0x9e3779b97f4a7c15U >> 20U) & (room_ - 1);
  }
  void put(const known_block& block) {
    std::size_t at = slot(block.begin);
    while (all_[at].begin != 0) at = (at + 1) & (room_ - 1);
    all_[at] = block;
    ++used_;
  }
  void grow() {
    known_block* const old = all_;
    const std::size_t had = room_;
    room_ = had == 0 ? 4096 : had * 2;
    all_ = mapped_array<known_block>(room_);
    used_ = 0;
    for (std::size_t i = 0; i < had; ++i) {
      if (old[i].begin != 0) put(old[i]);
    }
    if (old != nullptr) munmap(old, had * sizeof(known_block));
  }

  known_block* all_ = nullptr;
  std::size_t room_ = 0;
  std::size_t used_ = 0;
};

block_table blocks;

void* allocated(void* block, std::size_t bytes, void* caller) {
  if (on && block != nullptr) {
    blocks.add({reinterpret_cast<std::uintptr_t>(block), bytes == 0 ? 1 : bytes,
                users_code(reinterpret_cast<std::uintptr_t>(caller))});
  }
  return block;
}

void release(void* block, void* caller) {
  if (!on || block == nullptr) return;
  const known_block known = blocks.find(reinterpret_cast<std::uintptr_t>(block));
  if (known.begin == 0) return;
  check_range(known.begin, known.bytes, reinterpret_cast<std::uintptr_t>(caller),
              access_kind::freed);
  blocks.remove(known.begin);
  forget(known.begin, known.bytes);
}

void* allocate_new(std::size_t bytes, std::size_t alignment, void* caller) {
  void* const block = alignment <= 16 ? __libc_malloc(bytes) : __libc_memalign(alignment, bytes);
  if (block == nullptr) throw std::bad_alloc();
  return allocated(block, bytes, caller);
}

void free_block(void* block, void* caller) {
  release(block, caller);
  __libc_free(block);
}

}  // namespace

known_block block_at(std::uintptr_t address) { return blocks.holding(address); }

}  // namespace channels::races

using namespace channels::races;

#define CHANNELS_RACES_CALLER __builtin_return_address(0)

extern "C" {

void* malloc(std::size_t bytes) {
  return allocated(__libc_malloc(bytes), bytes, CHANNELS_RACES_CALLER);
}
void* calloc(std::size_t count, std::size_t bytes) {
  return allocated(__libc_calloc(count, bytes), count * bytes, CHANNELS_RACES_CALLER);
}
void free(void* block) { free_block(block, CHANNELS_RACES_CALLER); }
void* realloc(void* block, std::size_t bytes) {
  release(block, CHANNELS_RACES_CALLER);
  void* const moved = allocated(__libc_realloc(block, bytes), bytes, CHANNELS_RACES_CALLER);
  if (moved != nullptr && block != nullptr && on) {
    check_range(reinterpret_cast<std::uintptr_t>(moved), bytes,
                reinterpret_cast<std::uintptr_t>(CHANNELS_RACES_CALLER), access_kind::write);
  }
  return moved;
}
void* memalign(std::size_t alignment, std::size_t bytes) {
  return allocated(__libc_memalign(alignment, bytes), bytes, CHANNELS_RACES_CALLER);
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  return allocated(__libc_memalign(alignment, bytes), bytes, CHANNELS_RACES_CALLER);
}
int posix_memalign(void** place, std::size_t alignment, std::size_t bytes) {
  if (alignment % sizeof(void*) != 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
  void* const block = __libc_memalign(alignment, bytes);
  if (block == nullptr) return ENOMEM;
  *place = allocated(block, bytes, CHANNELS_RACES_CALLER);
  return 0;
}
}

// ld gives it the program's calls: what is mapped there next is other memory.
extern "C" {
int __real_munmap(void*, std::size_t);
int __wrap_munmap(void* at, std::size_t bytes) {
  const int status = __real_munmap(at, bytes);
  if (status == 0 && on) forget(reinterpret_cast<std::uintptr_t>(at), bytes);
  return status;
}
}

// The compiler's own names for these would call the library's new, whose caller nobody knows.
void* operator new(std::size_t bytes) { return allocate_new(bytes, 1, CHANNELS_RACES_CALLER); }
void* operator new[](std::size_t bytes) { return allocate_new(bytes, 1, CHANNELS_RACES_CALLER); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return allocate_new(bytes, static_cast<std::size_t>(alignment), CHANNELS_RACES_CALLER);
}
void* operator new[](std::size_t bytes, std::align_val_t alignment) {
  return allocate_new(bytes, static_cast<std::size_t>(alignment), CHANNELS_RACES_CALLER);
}
void operator delete(void* block) noexcept { free_block(block, CHANNELS_RACES_CALLER); }
void operator delete[](void* block) noexcept { free_block(block, CHANNELS_RACES_CALLER); }
void operator delete(void* block, std::size_t) noexcept {
  free_block(block, CHANNELS_RACES_CALLER);
}
void operator delete[](void* block, std::size_t) noexcept {
  free_block(block, CHANNELS_RACES_CALLER);
}
void operator delete(void* block, std::align_val_t) noexcept {
  free_block(block, CHANNELS_RACES_CALLER);
}
void operator delete[](void* block, std::align_val_t) noexcept {
  free_block(block, CHANNELS_RACES_CALLER);
}
void operator delete(void* block, std::size_t, std::align_val_t) noexcept {
  free_block(block, CHANNELS_RACES_CALLER);
}
void operator delete[](void* block, std::size_t, std::align_val_t) noexcept {
  free_block(block, CHANNELS_RACES_CALLER);
}
