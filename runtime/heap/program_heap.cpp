// malloc and its family, and C++'s new and delete, of programs that are compiled for devices. On
// the host device, and for everybody but the program's own code, they are the C library's. A
// program that runs on a device which cannot read the host's memory gets memory that both see.

#include <dlfcn.h>     // dlsym
#include <malloc.h>    // malloc_usable_size
#include <pthread.h>   // pthread_atfork
#include <sys/mman.h>  // mmap
#include <unistd.h>    // sysconf

#include <algorithm>  // min
#include <atomic>     // atomic
#include <cerrno>     // errno
#include <cstdint>    // uintptr_t
#include <cstdio>     // fprintf
#include <cstring>    // memcpy, strcmp
#include <mutex>      // mutex
#include <new>        // bad_alloc, nothrow
#include <utility>    // exchange

#include "channels/detail/heap_abi.hpp"
#include "channels/detail/heap_arena.hpp"
#include "runtime/heap/block_heap.hpp"

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): the C library's and the
// linker's names
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);
extern const char __executable_start;
extern const char etext;
}

namespace {

using channels::heap::block_heap;

/// Each chunk at least doubles the heap, so there are few.
constexpr unsigned most_chunks = 64;
constexpr std::size_t smallest_chunk = std::size_t{16} << 20U;

struct chunk {
  std::atomic<std::uintptr_t> begin;
  std::atomic<std::uintptr_t> end;
  std::atomic<std::uintptr_t> used;  ///< no block was ever taken at or above this address
  std::atomic<bool> of_host;
  std::atomic<channels::heap::arena*> arena;  ///< null for what the heap itself gives out
};

/// Atomics of the host on an arena. No device runs then, but other threads may.
struct host_atomics {
  static std::uint64_t load(const std::uint64_t* word) {
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);  // see arena
  }
  static std::uint64_t peek(const std::uint64_t* word) {
    return __atomic_load_n(word, __ATOMIC_RELAXED);  // see arena
  }
  static std::uint64_t add(std::uint64_t* word, std::uint64_t value) {
    return __atomic_fetch_add(word, value, __ATOMIC_RELAXED);  // see arena
  }
  static bool take(std::uint64_t* word, std::uint64_t expected, std::uint64_t desired) {
    return __atomic_compare_exchange_n(word, &expected, desired, false, __ATOMIC_RELAXED,
                                       __ATOMIC_RELAXED);  // see arena
  }
  static bool give(std::uint64_t* word, std::uint64_t expected, std::uint64_t desired) {
    return __atomic_compare_exchange_n(word, &expected, desired, false, __ATOMIC_RELEASE,
                                       __ATOMIC_RELAXED);  // see arena
  }
  /// All lists get some of what the host frees, for the lanes.
  static std::uint64_t list_of(std::uint64_t place) { return place * 0x9e3779b97f4a7c15U >> 40U; }
};

/// A chunk for allocations of constructors, the CUDA runtime's among them.
void* chunk_of_host(std::size_t bytes, bool* /*unwanted*/) {
  void* const p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return p == MAP_FAILED ? nullptr : p;
}
constexpr std::size_t chunk_of_host_size = std::size_t{1} << 20U;

// One heap for each process, as there is one malloc. It exists before any constructor runs.
// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables)
constinit std::atomic<channels_chunk_source*> source{nullptr};
constinit channels_chunk_source* source_when_ready = nullptr;
constinit chunk chunks[most_chunks] = {};
constinit std::atomic<unsigned> chunk_count{0};
constinit std::mutex growth;       // held by who adds a chunk, before the next
constinit std::mutex heap_access;  // guards the next four
constinit block_heap blocks;
constinit block_heap blocks_of_host;   // only for constructors: devices read these slowly
constinit std::size_t total = 0;       // bytes of all chunks
constinit std::size_t host_first = 0;  // the first bytes of all, which are to be the host's
constinit thread_local int paused = 0;
constinit thread_local bool is_beside_device = false;
constinit std::mutex kept_access;  // guards the next: blocks of arenas, with links in them
constinit void* kept = nullptr;
// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)

chunk* chunk_of(const void* block) {
  const auto address = reinterpret_cast<std::uintptr_t>(block);
  // Acquire: with the release in `enter`, a counted chunk is complete. A thread that has a block of
  // a chunk got it from a thread that saw the chunk.
  const unsigned count = chunk_count.load(std::memory_order_acquire);
  for (unsigned i = 0; i < count; ++i) {
    // Relaxed: they never change once they are counted.
    if (address >= chunks[i].begin.load(std::memory_order_relaxed) &&
        address < chunks[i].end.load(std::memory_order_relaxed))
      return &chunks[i];
  }
  return nullptr;
}

/// Adds a chunk. The caller holds the heap.
void enter(unsigned count, std::uintptr_t begin, std::size_t size, bool of_host,
           channels::heap::arena* arena) {
  // Relaxed: published by the count.
  chunks[count].begin.store(begin, std::memory_order_relaxed);
  chunks[count].end.store(begin + size, std::memory_order_relaxed);
  chunks[count].used.store(begin, std::memory_order_relaxed);
  chunks[count].of_host.store(of_host, std::memory_order_relaxed);
  chunks[count].arena.store(arena, std::memory_order_relaxed);
  // Release: see chunk_of.
  chunk_count.store(count + 1, std::memory_order_release);
}

/// Adds another chunk, for a block of `bytes`. The caller holds `growth` and the heap; the heap is
/// released during the call of a device's library, which frees memory that it took from this heap
/// when the program was loaded.
bool grow(std::unique_lock<std::mutex>& held, channels_chunk_source* from, std::size_t bytes) {
  const bool of_host = from == chunk_of_host;
  const std::size_t least = of_host ? chunk_of_host_size : smallest_chunk;
  std::size_t size = total > least ? total : least;
  if (size < bytes) size = bytes;
  bool unwanted = false;
  held.unlock();
  ++paused;
  if (!of_host && channels_heap_awaits_device != nullptr) channels_heap_awaits_device();
  void* made = from(size, &unwanted);
  // Perhaps there is room for what is needed.
  if (made == nullptr && !unwanted && size > bytes) made = from(size = bytes, &unwanted);
  --paused;
  held.lock();
  // Relaxed: other threads come to the same result.
  if (unwanted) source.store(nullptr, std::memory_order_relaxed);
  const unsigned count = chunk_count.load(std::memory_order_relaxed);
  if (made == nullptr || count == most_chunks) return false;
  const auto begin = reinterpret_cast<std::uintptr_t>(made);
  enter(count, begin, size, of_host, nullptr);
  (of_host ? blocks_of_host : blocks).add(made, size);
  total += size;
  return true;
}

void complain(std::size_t bytes) {
  ++paused;
  std::fprintf(
      stderr,
      "channels: malloc: %zu bytes: the memory that the host shares with the device is full, "
      "with %zu bytes; CHANNELS_HEAP sets how many there may be\n",
      bytes, total);
  --paused;
}

/// Whether an allocation comes from the heap: it does for callers in the program, not for callers
/// in a library, which may be the device's own. `back` is the caller's return address. Sets `from`
/// to the source of chunks.
bool is_for(const void* back, channels_chunk_source*& from) {
  // Relaxed: set before the program begins, and only reset afterwards.
  from = source.load(std::memory_order_relaxed);
  if (from == nullptr || paused != 0) return false;
  const char* const where = static_cast<const char*>(back);
  return where >= &__executable_start && where < &etext;
}

/// Takes a block. Null with `out_of_memory` if there is no memory; null without if the heap is not
/// used after all.
void* take(channels_chunk_source* from, std::size_t bytes, std::size_t aligned,
           bool& out_of_memory) {
  std::unique_lock<std::mutex> held(heap_access);
  if (host_first != 0 && from != chunk_of_host) {
    if (bytes <= host_first && total <= host_first - bytes) {
      from = chunk_of_host;
    } else {
      host_first = 0;
    }
  }
  block_heap& all = from == chunk_of_host ? blocks_of_host : blocks;
  void* block = all.take(bytes, aligned);
  if (block == nullptr && bytes < SIZE_MAX / 4 && aligned < SIZE_MAX / 4) {
    held.unlock();
    const std::lock_guard<std::mutex> growing(growth);
    held.lock();
    block = all.take(bytes, aligned);  // another thread may have added a chunk
    // A large block is searched in lists of blocks that are up to a thirty-second larger.
    if (block == nullptr &&
        grow(held, from, bytes + bytes / 16 + 2 * aligned + block_heap::overhead))
      block = all.take(bytes, aligned);
  }
  if (block == nullptr) {
    out_of_memory = source.load(std::memory_order_relaxed) != nullptr;
    if (out_of_memory && channels_heap_is_full != nullptr && channels_heap_is_full()) {
      source.store(nullptr, std::memory_order_relaxed);  // see is_for
      out_of_memory = false;
    }
    if (out_of_memory) {
      complain(bytes);
      errno = ENOMEM;
    }
    return nullptr;
  }
  chunk* const one = chunk_of(block);
  const std::uintptr_t end = reinterpret_cast<std::uintptr_t>(block) + block_heap::size_of(block);
  // Relaxed: written with the heap held; readers need only an estimate.
  if (end > one->used.load(std::memory_order_relaxed))
    one->used.store(end, std::memory_order_relaxed);
  return block;
}

void* allocate(const void* back, std::size_t bytes, std::size_t aligned) {
  channels_chunk_source* from = nullptr;
  if (is_for(back, from)) {
    bool out_of_memory = false;
    void* const block = take(from, bytes, aligned, out_of_memory);
    if (block != nullptr || out_of_memory) return block;
  }
  return aligned <= block_heap::alignment ? __libc_malloc(bytes) : __libc_memalign(aligned, bytes);
}

void release(void* block) {
  if (block == nullptr) return;
  const chunk* const one = chunk_of(block);
  if (one == nullptr) return __libc_free(block);
  // Relaxed: see chunk_of.
  if (auto* const arena = one->arena.load(std::memory_order_relaxed)) {
    if (!is_beside_device) return arena->give_back<host_atomics>(block);
    // The device's lanes are at the arena. A block has room for the link.
    const std::lock_guard<std::mutex> held(kept_access);
    std::memcpy(block, static_cast<const void*>(&kept), sizeof kept);
    kept = block;
    return;
  }
  const std::lock_guard<std::mutex> held(heap_access);
  // Relaxed: see chunk_of.
  (one->of_host.load(std::memory_order_relaxed) ? blocks_of_host : blocks).give_back(block);
}

/// The bytes of a block of the heap.
std::size_t size_of(const chunk& one, void* block) {
  auto* const arena = one.arena.load(std::memory_order_relaxed);  // see release
  return arena != nullptr ? arena->size_of(block) : block_heap::size_of(block);
}

void* allocate_or_throw(const void* back, std::size_t bytes, std::size_t aligned) {
  for (;;) {
    if (void* const block = allocate(back, bytes == 0 ? 1 : bytes, aligned)) return block;
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}

}  // namespace

// NOLINTBEGIN(cppcoreguidelines-no-malloc,cppcoreguidelines-owning-memory,readability-*)
#define CALLER __builtin_return_address(0)

extern "C" {

void channels_heap_begin(const char* device, std::size_t bytes_of_host) {
  // A forked process has a heap that nobody is at.
  (void)pthread_atfork(
      [] {
        growth.lock();
        heap_access.lock();
      },
      [] {
        heap_access.unlock();
        growth.unlock();
      },
      [] {
        heap_access.unlock();
        growth.unlock();
      });
  host_first = bytes_of_host;
  if (std::strcmp(device, "cuda") == 0) source_when_ready = channels_chunk_of_cuda;
  if (std::strcmp(device, "hip") == 0) source_when_ready = channels_chunk_of_hip;
  if (std::strcmp(device, "emulated") == 0) source_when_ready = channels_chunk_of_emulated;
  // Relaxed, here and in channels_heap_ready: there are no other threads yet.
  if (source_when_ready != nullptr) source.store(chunk_of_host, std::memory_order_relaxed);
}

void channels_heap_ready() { source.store(source_when_ready, std::memory_order_relaxed); }

int channels_heap_pause(int by) { return paused += by; }

void channels_heap_add_arena(void* arena, std::size_t bytes) {
  const std::lock_guard<std::mutex> held(heap_access);
  const unsigned count = chunk_count.load(std::memory_order_relaxed);  // the heap is held
  if (count < most_chunks)
    enter(count, reinterpret_cast<std::uintptr_t>(arena), bytes, false,
          static_cast<channels::heap::arena*>(arena));
}

void channels_heap_beside_device(bool is) {
  // The thread may be one that waits for the device, inside of its library.
  static thread_local int paused_before = 0;
  if (is) paused_before = std::exchange(paused, 0);
  if (!is) paused = paused_before;
  is_beside_device = is;
}

void channels_heap_settle(bool arenas) {
  void* all = nullptr;
  {
    const std::lock_guard<std::mutex> held(kept_access);
    all = std::exchange(kept, nullptr);
  }
  while (all != nullptr) {
    void* next = nullptr;
    std::memcpy(static_cast<void*>(&next), all, sizeof next);
    release(std::exchange(all, next));
  }
  if (!arenas) return;
  const unsigned count = chunk_count.load(std::memory_order_acquire);  // see chunk_of
  for (unsigned i = 0; i < count; ++i) {
    auto* const arena = chunks[i].arena.load(std::memory_order_relaxed);  // see release
    if (arena == nullptr || arena->others == 0) continue;
    const std::uint64_t others = std::min(arena->others, arena->most_others);
    for (std::uint64_t other = 0; other < others; ++other) release(arena->blocks_of_others[other]);
    arena->others = 0;
  }
}

void channels_heap_visit(void (*use)(void* chunk, std::size_t bytes, std::size_t used,
                                     bool of_host)) {
  const unsigned count = chunk_count.load(std::memory_order_acquire);  // see chunk_of
  for (unsigned i = 0; i < count; ++i) {
    const std::uintptr_t begin = chunks[i].begin.load(std::memory_order_relaxed);
    const std::uintptr_t end = chunks[i].end.load(std::memory_order_relaxed);
    if (chunks[i].arena.load(std::memory_order_relaxed) != nullptr) continue;
    const std::uintptr_t used = chunks[i].used.load(std::memory_order_relaxed);  // see take
    // NOLINTNEXTLINE(performance-no-int-to-ptr): where a chunk is
    use(reinterpret_cast<void*>(begin), end - begin, used - begin,
        chunks[i].of_host.load(std::memory_order_relaxed));
  }
}

void* malloc(std::size_t bytes) { return allocate(CALLER, bytes, block_heap::alignment); }

void free(void* block) { release(block); }

void* calloc(std::size_t count, std::size_t bytes) {
  channels_chunk_source* from = nullptr;
  std::size_t all = 0;
  if (!is_for(CALLER, from) || __builtin_mul_overflow(count, bytes, &all))
    return __libc_calloc(count, bytes);
  void* const block = allocate(CALLER, all, block_heap::alignment);
  return block == nullptr ? nullptr : std::memset(block, 0, all);
}

void* realloc(void* block, std::size_t bytes) {
  if (block == nullptr) return allocate(CALLER, bytes, block_heap::alignment);
  // A block of the C library stays with the C library.
  const chunk* const one = chunk_of(block);
  if (one == nullptr) return __libc_realloc(block, bytes);
  if (bytes == 0) {
    release(block);
    return nullptr;
  }
  const std::size_t now = size_of(*one, block);
  if (bytes <= now && bytes > now / 2) return block;
  void* const larger = allocate(CALLER, bytes, block_heap::alignment);
  if (larger == nullptr) return nullptr;
  std::memcpy(larger, block, bytes < now ? bytes : now);
  release(block);
  return larger;
}

void* memalign(std::size_t aligned, std::size_t bytes) { return allocate(CALLER, bytes, aligned); }
void* aligned_alloc(std::size_t aligned, std::size_t bytes) {
  return allocate(CALLER, bytes, aligned);
}
int posix_memalign(void** block, std::size_t aligned, std::size_t bytes) {
  if (aligned % sizeof(void*) != 0 || (aligned & (aligned - 1)) != 0 || aligned == 0) return EINVAL;
  const int before = errno;
  void* const made = allocate(CALLER, bytes, aligned);
  errno = before;
  if (made == nullptr) return ENOMEM;
  *block = made;
  return 0;
}
void* valloc(std::size_t bytes) {
  return allocate(CALLER, bytes, static_cast<std::size_t>(sysconf(_SC_PAGESIZE)));
}
std::size_t malloc_usable_size(void* block) {
  if (block == nullptr) return 0;
  if (const chunk* const one = chunk_of(block)) return size_of(*one, block);
  using function = std::size_t(void*);
  static auto* const of_library =
      reinterpret_cast<function*>(dlsym(RTLD_NEXT, "malloc_usable_size"));
  return of_library(block);
}
}

void* operator new(std::size_t bytes) {
  return allocate_or_throw(CALLER, bytes, block_heap::alignment);
}
void* operator new[](std::size_t bytes) {
  return allocate_or_throw(CALLER, bytes, block_heap::alignment);
}
void* operator new(std::size_t bytes, std::align_val_t aligned) {
  return allocate_or_throw(CALLER, bytes, static_cast<std::size_t>(aligned));
}
void* operator new[](std::size_t bytes, std::align_val_t aligned) {
  return allocate_or_throw(CALLER, bytes, static_cast<std::size_t>(aligned));
}
void* operator new(std::size_t bytes, const std::nothrow_t& /*tag*/) noexcept {
  return allocate(CALLER, bytes == 0 ? 1 : bytes, block_heap::alignment);
}
void* operator new[](std::size_t bytes, const std::nothrow_t& /*tag*/) noexcept {
  return allocate(CALLER, bytes == 0 ? 1 : bytes, block_heap::alignment);
}
void operator delete(void* block) noexcept { release(block); }
void operator delete[](void* block) noexcept { release(block); }
void operator delete(void* block, std::size_t /*bytes*/) noexcept { release(block); }
void operator delete[](void* block, std::size_t /*bytes*/) noexcept { release(block); }
void operator delete(void* block, std::align_val_t /*aligned*/) noexcept { release(block); }
void operator delete[](void* block, std::align_val_t /*aligned*/) noexcept { release(block); }
void operator delete(void* block, std::size_t /*bytes*/, std::align_val_t /*aligned*/) noexcept {
  release(block);
}
void operator delete[](void* block, std::size_t /*bytes*/, std::align_val_t /*aligned*/) noexcept {
  release(block);
}
void operator delete(void* block, const std::nothrow_t& /*tag*/) noexcept { release(block); }
void operator delete[](void* block, const std::nothrow_t& /*tag*/) noexcept { release(block); }
// NOLINTEND(cppcoreguidelines-no-malloc,cppcoreguidelines-owning-memory,readability-*)
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
