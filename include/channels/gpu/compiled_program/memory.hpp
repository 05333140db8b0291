#pragma once

#include <link.h>     // dl_iterate_phdr
#include <pthread.h>  // pthread_getattr_np
#include <unistd.h>   // sysconf

#include <algorithm>  // find, min
#include <cstdint>    // uintptr_t
#include <cstdlib>    // calloc
#include <cstring>    // memset
#include <string>     // string
#include <vector>     // vector

#include "channels/cilk/device_call.hpp"
#include "channels/detail/heap_abi.hpp"
#include "channels/detail/heap_arena.hpp"
#include "channels/detail/start_abi.hpp"
#include "channels/gpu/compiled_program/allocation_failure.hpp"
#include "channels/gpu/compiled_program/kept_messages.hpp"
#include "channels/gpu/compiled_program/program_end.hpp"
#include "channels/gpu/compiled_program/program_gpus.hpp"
#include "channels/gpu/compiled_program/unit_calls.hpp"
#include "channels/gpu/compiled_program/unknown_call.hpp"
#include "channels/gpu/compiled_program/unseen_memory.hpp"
#include "channels/gpu/port/memory.hpp"
#include "channels/gpu/tuning.hpp"

/// How tasks on a device reach the memory of a compiled program. If the device reads all memory of
/// the host, there is nothing to do. Otherwise
///
/// - the heap (runtime/heap) gets its chunks here: memory that host and device see, and that moves to
///   the one that uses it;
/// - the program's variables, its constants and the stack of the thread that calls a task are
///   registered: the device reads and writes them where they are.
///
/// All functions here are for the host.
namespace channels::cilk {

inline namespace CHANNELS_CILK_ON {

/// While an object of this class lives, the thread allocates memory for the host only.
class host_allocations {
 public:
  host_allocations() { pause(1); }
  host_allocations(const host_allocations&) = delete;
  host_allocations& operator=(const host_allocations&) = delete;
  ~host_allocations() { pause(-1); }

 private:
  static void pause(int by) {
    if (&channels_heap_pause != nullptr) (void)channels_heap_pause(by);
  }
};

/// Where lanes tell of an allocation that found no room; for all units of a device. Null until
/// `make` is true once.
inline allocation_failure* program_allocation_failure(bool make = false);
/// Where lanes tell that they end the program; likewise.
inline program_end* told_program_end(bool make = false);
/// Where they tell of a call that they cannot make; likewise.
inline unknown_call* told_unknown_call(bool make = false);
/// What lanes have written to stderr; likewise.
inline kept_messages* program_messages(bool make = false);
/// The arena for malloc of all units of a device. The first unit that needs it makes it, as large
/// as the settings say or, if they do not, as the device has memory. Throws `channels::error` if
/// there is no memory for it.
inline heap::arena* program_arena();
/// Whether any unit of a device needs it. Constructors set it.
inline bool& wants_arena() {
  static bool wanted = false;
  return wanted;
}

#if defined(CHANNELS_GPU_EMULATED)

// The CPU reads everything. The heap is used all the same: so it is tested.
inline void prepare_device(const device_needs& /*needs*/) {}
inline std::uint64_t usual_arena_bytes() { return gpu::program_memory_tuning::malloc_bytes; }
inline void* arena_memory(std::size_t bytes, std::size_t /*head*/) { return std::calloc(bytes, 1); }
inline void send_arena(void* /*memory*/, std::size_t /*bytes*/) {}
inline void share_memory(std::size_t /*gpus*/) {}
inline void finish_output(const device_needs& /*needs*/, std::size_t /*gpus*/) {}
inline std::string hint_after_failure(const device_needs& /*needs*/, const void* /*arguments*/,
                                      std::size_t /*bytes*/) {
  return {};
}

#else

inline int attribute(decltype(gpu::unit_count) which) {
  int value = 0;
  gpu::detail::check(CHANNELS_GPU(DeviceGetAttribute)(&value, which, 0), "properties");
  return value;
}

#if defined(__HIP__)
inline bool reads_all_memory() { return attribute(hipDeviceAttributePageableMemoryAccess) != 0; }
inline bool shares_managed_memory() {
  return attribute(hipDeviceAttributeConcurrentManagedAccess) != 0;
}
inline void prefetch(void* p, std::size_t bytes) {
  (void)hipMemPrefetchAsync(p, bytes, program_gpus()[0], nullptr);
}
using memory_advice = hipMemoryAdvise;
inline void advise(memory_advice what, int gpu, void* p, std::size_t bytes) {
  (void)hipMemAdvise(p, bytes, what, gpu);
}
inline constexpr unsigned register_read_only = hipHostRegisterMapped;
#else
inline bool reads_all_memory() { return attribute(cudaDevAttrPageableMemoryAccess) != 0; }
inline bool shares_managed_memory() { return attribute(cudaDevAttrConcurrentManagedAccess) != 0; }
inline void prefetch(void* p, std::size_t bytes) {
  const int first = program_gpus()[0];
#if CUDART_VERSION >= 13000
  (void)cudaMemPrefetchAsync(p, bytes, cudaMemLocation{cudaMemLocationTypeDevice, first}, 0,
                             nullptr);
#else
  (void)cudaMemPrefetchAsync(p, bytes, first, nullptr);
#endif
}
using memory_advice = cudaMemoryAdvise;
inline void advise(memory_advice what, int gpu, void* p, std::size_t bytes) {
#if CUDART_VERSION >= 13000
  (void)cudaMemAdvise(p, bytes, what, cudaMemLocation{cudaMemLocationTypeDevice, gpu});
#else
  (void)cudaMemAdvise(p, bytes, what, gpu);
#endif
}
inline constexpr unsigned register_read_only = cudaHostRegisterReadOnly;
#endif
/// Says that managed memory is the first GPU's, so that its new pages come into being there.
inline void prefer_device(void* p, std::size_t bytes) {
  advise(CHANNELS_GPU(MemAdviseSetPreferredLocation), program_gpus()[0], p, bytes);
}
/// Maps managed memory for another GPU than the one that has it, which reads and writes it there:
/// else each access would move the page.
inline void map_for(int other, void* p, std::size_t bytes) {
  advise(CHANNELS_GPU(MemAdviseSetAccessedBy), other, p, bytes);
}

/// Called before a unit's first run. HIP has no such limits to set.
inline void prepare_device([[maybe_unused]] const device_needs& needs) {
#if !defined(__HIP__)
  if (needs.recursion) {
    gpu::detail::check(cudaDeviceSetLimit(cudaLimitStackSize, program_settings().device_stack),
                       "CHANNELS_DEVICE_STACK");
  }
#endif
}

/// Bytes for what tasks allocate, if the settings do not say how many: as many as are free on the
/// device, because only what is used takes memory.
inline std::uint64_t usual_arena_bytes() {
  if (!reads_all_memory() && !shares_managed_memory())
    return gpu::program_memory_tuning::malloc_bytes;
  return std::max(gpu::detail::free_memory_of_device(), gpu::program_memory_tuning::malloc_bytes);
}
/// Memory for what tasks allocate, which the host reads as well; null if there is not so much. The
/// first `head` bytes, at most all, are 0.
inline void* arena_memory(std::size_t bytes, [[maybe_unused]] std::size_t head) {
  if (reads_all_memory()) return std::calloc(bytes, 1);
  void* p = nullptr;
  if (CHANNELS_GPU(MallocManaged)(&p, bytes) != gpu::success) {
    (void)CHANNELS_GPU(GetLastError)();
    return nullptr;
  }
  gpu::detail::check(CHANNELS_GPU(Memset)(p, 0, head), "CHANNELS_DEVICE_MALLOC");
  gpu::detail::finish_copies();
  return p;
}
/// Sends the beginning of such memory to the device.
inline void send_arena(void* memory, std::size_t bytes) {
  if (reads_all_memory()) return;
  prefer_device(memory, bytes);
  prefetch(memory, std::min<std::size_t>(bytes, gpu::program_memory_tuning::malloc_ahead));
}

inline std::uintptr_t page_of(std::uintptr_t address) {
  return address & ~(static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE)) - 1);
}

/// What is registered now. The caller holds the program's runtime.
inline std::vector<memory_range>& registered_memory() {
  static std::vector<memory_range> all;
  return all;
}

/// Registers the memory from `begin` to `end`: the device can read it, and write it unless `flags`
/// say otherwise. Throws `channels::error`, which says `what` it is, if that fails.
inline void register_memory(std::uintptr_t begin, std::uintptr_t end, unsigned flags,
                            const char* what) {
  if (begin >= end) return;
  if (program_gpus().size() > 1) flags |= CHANNELS_GPU(HostRegisterPortable);  // for all of them
  const auto code = CHANNELS_GPU(HostRegister)(reinterpret_cast<void*>(begin), end - begin, flags);
  if (code == gpu::success) return registered_memory().push_back({begin, end});
  (void)CHANNELS_GPU(GetLastError)();
  throw error(std::string("the device cannot be given access to ") + what + ": " +
              CHANNELS_GPU(GetErrorString)(code));
}

/// Registers the program's own variables and constants, not those of libraries.
inline void register_variables() {
  const auto each = [](dl_phdr_info* program, std::size_t, void*) {
    std::uintptr_t constant_begin = 0;  // what only the loader writes
    std::uintptr_t constant_end = 0;
    for (int i = 0; i < program->dlpi_phnum; ++i) {
      const auto& part = program->dlpi_phdr[i];
      if (part.p_type != PT_GNU_RELRO) continue;
      constant_begin = page_of(program->dlpi_addr + part.p_vaddr);
      constant_end = page_of(program->dlpi_addr + part.p_vaddr + part.p_memsz);
    }
    // Constants with addresses in them, such as tables of functions. Without them the device still
    // runs all that uses none.
    try {
      register_memory(constant_begin, constant_end, register_read_only, "constants");
    } catch (const error&) {  // NOLINT(bugprone-empty-catch)
    }
    const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    for (int i = 0; i < program->dlpi_phnum; ++i) {
      const auto& part = program->dlpi_phdr[i];
      if (part.p_type != PT_LOAD || (part.p_flags & PF_X) != 0) continue;
      std::uintptr_t begin = page_of(program->dlpi_addr + part.p_vaddr);
      const std::uintptr_t end =
          page_of(program->dlpi_addr + part.p_vaddr + part.p_memsz + page - 1);
      const bool writable = (part.p_flags & PF_W) != 0;
      if (writable && constant_begin <= begin && begin < constant_end) begin = constant_end;
      register_memory(begin, end, writable ? 0 : register_read_only, "the program's variables");
    }
    return 1;  // the first is the program
  };
  dl_iterate_phdr(each, nullptr);
}

/// A thread's stack, as far as the device has access to it.
class registered_stack {
 public:
  registered_stack() {
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0)
      throw error("the device cannot be given access to the stack: its place is not known");
    void* lowest = nullptr;
    std::size_t bytes = 0;
    pthread_attr_getstack(&attributes, &lowest, &bytes);
    pthread_attr_destroy(&attributes);
    bottom_ = reinterpret_cast<std::uintptr_t>(lowest);
    begin_ = bottom_ + bytes;
  }
  registered_stack(const registered_stack&) = delete;
  registered_stack& operator=(const registered_stack&) = delete;
  /// Another thread may get the memory.
  ~registered_stack() {
    for (const std::uintptr_t piece : pieces_)
      (void)CHANNELS_GPU(HostUnregister)(reinterpret_cast<void*>(piece));
  }

  /// Registers all frames from the thread's first to `frame`.
  void reach(const void* frame) {
    const auto now = reinterpret_cast<std::uintptr_t>(frame);
    if (now >= begin_) return;
    // Some more is registered, for calls from deeper frames. A page exists once it was touched.
    std::uintptr_t begin = page_of(now);
    const std::uintptr_t page = page_of(2 * static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE)) - 1);
    for (std::uintptr_t i = 0; i < ahead && begin - bottom_ > 2 * ahead; i += page) {
      begin -= page;
      *reinterpret_cast<volatile char*>(begin) = 0;
    }
    register_memory(begin, begin_, 0, "the stack");
    pieces_.push_back(begin);
    begin_ = begin;
  }

 private:
  static constexpr std::uintptr_t ahead = gpu::program_memory_tuning::stack_ahead;
  std::uintptr_t bottom_ = 0;
  std::uintptr_t begin_ = 0;  ///< registered from here up
  std::vector<std::uintptr_t> pieces_;
};

/// The GPUs of the program that reach all chunks of the heap, from the first on. The caller holds
/// the program's runtime.
inline std::size_t& gpus_that_share() {
  static std::size_t count = 1;
  return count;
}

/// A chunk of the heap. What the program allocated before main is registered. Other chunks move to
/// the first GPU: without this prefetch they would move page by page, when the device accesses
/// them. The host does not wait for the prefetch.
inline void share_chunk(void* chunk, std::size_t bytes, std::size_t used, bool of_host) {
  static std::vector<const void*> registered;
  static std::vector<const void*> mapped;
  if (!of_host) {
    if (gpus_that_share() > 1 && std::find(mapped.begin(), mapped.end(), chunk) == mapped.end()) {
      for (std::size_t i = 1; i < program_gpus().size(); ++i)
        map_for(program_gpus()[i], chunk, bytes);
      mapped.push_back(chunk);
    }
    return used == 0 ? void() : prefetch(chunk, used);
  }
  if (std::find(registered.begin(), registered.end(), chunk) != registered.end()) return;
  const auto begin = reinterpret_cast<std::uintptr_t>(chunk);
  register_memory(begin, begin + bytes, 0, "what the program allocated before main");
  registered.push_back(chunk);
}

/// Called before each run, which is on `gpus` GPUs: they get access to the program's memory.
inline void share_memory(std::size_t gpus) {
  gpus_that_share() = gpus;
  static const bool reads_all = reads_all_memory();
  if (reads_all) return;
  static const bool variables = (register_variables(), true);
  (void)variables;
  thread_local registered_stack stack;
  stack.reach(__builtin_frame_address(0));
  if (&channels_heap_visit != nullptr) channels_heap_visit(share_chunk);
}

/// Called after each run, which was on `gpus` GPUs. What tasks print appears when the host waits
/// for the device.
inline void finish_output(const device_needs& needs, std::size_t gpus) {
  for (std::size_t i = 0; needs.output && i < gpus; ++i) {
    const gpu::detail::on_gpu here(program_gpus()[i]);
    gpu::detail::check(CHANNELS_GPU(DeviceSynchronize)(), "output");
  }
}

/// The memory of the host that the device sees.
inline std::vector<memory_range> seen_memory() {
  static std::vector<memory_range> all;
  all = registered_memory();
  if (&channels_heap_visit != nullptr) {
    channels_heap_visit([](void* chunk, std::size_t bytes, std::size_t, bool) {
      const auto begin = reinterpret_cast<std::uintptr_t>(chunk);
      all.push_back({begin, begin + bytes});
    });
  }
  return all;
}

/// After a run that failed: what tasks may not touch, if they have done that, as far as it can be
/// known. `needs`: of the unit; `arguments`: of the call.
inline std::string hint_after_failure(const device_needs& needs, const void* arguments,
                                      std::size_t bytes) {
  const auto code = CHANNELS_GPU(PeekAtLastError)();
#if defined(__HIP__)
  const bool memory = code == hipErrorIllegalAddress;
#else
  const bool memory = code == cudaErrorIllegalAddress;
#endif
  if (!memory) return {};
  std::string hint = "; a task used memory that the device does not see";
  std::vector<memory_range> seen = seen_memory();
  if (const allocation_failure* const none_left = program_allocation_failure()) {
    (void)none_left;  // there is an arena
    const auto begin = reinterpret_cast<std::uintptr_t>(program_arena());
    seen.push_back({begin, begin + program_arena()->units * heap::arena::unit});
  }
  const std::string found = unseen_arguments(arguments, bytes, seen);
  if (!found.empty()) {
    hint += ": " + found + "; copy it to memory of malloc or new";
  } else {
    hint +=
        ", such as what mmap or a library gave the program, a variable of a shared library, or "
        "another thread's stack, or wrote beyond an array";
  }
  if (needs.recursion) hint += "; or its stack on the device was full (CHANNELS_DEVICE_STACK)";
  return hint;
}

#endif

/// What lanes tell the host, all zeros at first; null until `make` is true once.
template <class Told>
Told* told_by_lanes(bool make) {
  static Told* one = nullptr;
  if (one != nullptr || !make) return one;
  // It is never freed: the device may write to it as long as there is one.
  one = gpu::detail::allocate_on_host<Told>(sizeof(Told), "pinned memory").release();
  std::memset(static_cast<void*>(one), 0, sizeof *one);
  return one;
}

inline allocation_failure* program_allocation_failure(bool make) {
  return told_by_lanes<allocation_failure>(make);
}

inline program_end* told_program_end(bool make) { return told_by_lanes<program_end>(make); }

inline unknown_call* told_unknown_call(bool make) { return told_by_lanes<unknown_call>(make); }

inline kept_messages* program_messages(bool make) { return told_by_lanes<kept_messages>(make); }

inline heap::arena* program_arena() {
  static heap::arena* const one = [] {
    const std::uint64_t wanted = program_settings().device_malloc;
    std::uint64_t bytes = wanted != 0 ? wanted : usual_arena_bytes();
    const auto get = [&bytes] {
      return arena_memory(bytes + heap::arena::others_for(bytes) * sizeof(void*),
                          heap::arena::head_bytes(heap::arena::lists_for(bytes)));
    };
    void* memory = get();
    while (memory == nullptr && bytes / 2 >= gpu::pool_tuning::least_bytes) {
      bytes /= 2;
      memory = get();
    }
    if (memory == nullptr)
      throw error("no memory for what tasks allocate: CHANNELS_DEVICE_MALLOC sets how much, now " +
                  std::to_string(wanted) + " bytes");
    auto* const made = static_cast<heap::arena*>(memory);
    made->most_others = heap::arena::others_for(bytes);
    made->blocks_of_others = reinterpret_cast<void**>(static_cast<char*>(memory) + bytes);
    made->units = bytes / heap::arena::unit;
    made->list_mask = heap::arena::lists_for(bytes) - 1;
    send_arena(memory, bytes);
    if (&channels_heap_add_arena != nullptr) channels_heap_add_arena(memory, bytes);
    return made;
  }();
  return one;
}

}  // namespace CHANNELS_CILK_ON

}  // namespace channels::cilk

#include "channels/gpu/compiled_program/chunks.hpp"
