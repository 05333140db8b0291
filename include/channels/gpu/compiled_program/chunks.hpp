#pragma once

#include <sys/mman.h>  // mmap

// The end of memory.hpp, which includes this: where the heap of a program (runtime/heap) gets its
// chunks from, and how the vendor's library starts, a function of each for each kind of device.

#if defined(CHANNELS_GPU_EMULATED)

extern "C" void* channels_chunk_of_emulated(std::size_t bytes, bool* /*unwanted*/) {
  const std::uint64_t most = channels::cilk::program_settings().heap;
  static std::uint64_t made = 0;
  if (most != 0 && made + bytes > most) return nullptr;
  void* const p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) return nullptr;
  made += bytes;
  return p;
}

extern "C" bool channels_start_emulated() { return true; }

#else

#if defined(__HIP__)
extern "C" void* channels_chunk_of_hip(std::size_t bytes, bool* unwanted) {
#else
extern "C" void* channels_chunk_of_cuda(std::size_t bytes, bool* unwanted) {
#endif
  using namespace channels;  // NOLINT(google-build-using-namespace): one function
  static std::uint64_t left = 0;
  static bool begun = false;
  try {
    if (!begun) {
      begun = true;
      int devices = 0;
      // If there is no device, the error comes when the program tries to use it.
      if (CHANNELS_GPU(GetDeviceCount)(&devices) != gpu::success || devices == 0 ||
          cilk::reads_all_memory() || !cilk::shares_managed_memory()) {
        *unwanted = true;
        return nullptr;
      }
      const std::uint64_t free = gpu::detail::free_memory_of_device();
      const settings& options = cilk::program_settings();
      const std::uint64_t tasks = options.memory != 0 ? options.memory
                                  : options.order == run_order::channels
                                      ? gpu::detail::memory_for_channels(free)
                                      : gpu::detail::memory_for_tasks(free);
      const std::uint64_t rest = free > tasks ? free - tasks : 0;
      // With more than the device has, it would only move pages.
      left = std::min(options.heap == 0 ? free / 2 : options.heap, rest);
    }
    if (bytes > left) return nullptr;
    void* p = nullptr;
    const auto code = CHANNELS_GPU(MallocManaged)(&p, bytes);
    if (code == gpu::success) {
      left -= bytes;
      return p;
    }
    // Without free memory, the heap may ask again. With another error it need not: the device has
    // failed, or the process ends, and the vendor's library allocates in its own destructors.
    *unwanted = code != CHANNELS_GPU(ErrorMemoryAllocation);
  } catch (const error&) {
    *unwanted = true;
  }
  return nullptr;
}

#if defined(__HIP__)
extern "C" bool channels_start_hip() {
#else
extern "C" bool channels_start_cuda() {
#endif
  using namespace channels;  // NOLINT(google-build-using-namespace): one function
  try {
    int devices = 0;
    if (CHANNELS_GPU(GetDeviceCount)(&devices) != gpu::success || devices == 0) return false;
    for (const int one : cilk::program_gpus()) {
      const gpu::detail::on_gpu here(one);
      (void)CHANNELS_GPU(Free)(nullptr);  // which makes what all else waits for
    }
    const gpu::detail::on_gpu here(cilk::program_gpus()[0]);
    if (cilk::wants_arena()) (void)cilk::program_arena();
    return true;
  } catch (const error&) {
    // The first call says why.
    return false;
  }
}

#endif
