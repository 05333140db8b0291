#pragma once

#include <chrono>   // microseconds
#include <cstdlib>  // aligned_alloc, free
#include <cstring>  // memset, memcpy
#include <memory>   // make_unique
#include <thread>   // sleep_for

#include "channels/gpu/port/emulation/gpus.hpp"
#include "channels/gpu/port/emulation/intrinsics.hpp"
#include "channels/gpu/port/emulation/launch.hpp"
#include "channels/gpu/port/emulation/stream.hpp"
#include "channels/gpu/port/emulation/traps.hpp"

/// What a vendor's host interface is for a GPU, for one that threads of the CPU stand in for: as
/// much of it as `caller` uses, under the same names.

namespace channels::gpu::emulated {

// NOLINTBEGIN(readability-identifier-naming): the vendors' names
enum attribute : std::uint8_t { unit_count, wave_lanes };
inline constexpr int FuncAttributeMaxDynamicSharedMemorySize = 0;
inline constexpr int MemcpyDeviceToHost = 0;
inline constexpr int MemcpyHostToDevice = 1;
inline constexpr int MemcpyDeviceToDevice = 2;
inline constexpr int StreamNonBlocking = 0;
inline constexpr int DevP2PAttrNativeAtomicSupported = 0;

inline const char* GetErrorString(Error_t code) {
  switch (code) {
    case ErrorMemoryAllocation: return "out of memory";
    case ErrorLaunchFailure: return "a lane has trapped";
    case ErrorInvalidDevice: return "there is no such device";
    default: return "no error";
  }
}
inline Error_t GetLastError() { return Success; }
inline Error_t GetDeviceCount(int* count) {
  *count = static_cast<int>(detail::emulated_gpus);
  return Success;
}
inline Error_t GetDevice(int* device) {
  *device = current_gpu;
  return Success;
}
inline Error_t SetDevice(int device) {
  if (device < 0 || device >= static_cast<int>(detail::emulated_gpus)) return ErrorInvalidDevice;
  if (device != 0) detail::emulated_memory::of_process().begin();
  current_gpu = device;
  return Success;
}
/// Pairs of GPUs that do not reach each other's memory, a bit for each: a test sets some.
inline std::atomic<std::uint32_t> unreachable[detail::emulated_gpus] = {};
inline Error_t DeviceCanAccessPeer(int* can, int device, int peer) {
  *can = (unreachable[device].load(std::memory_order_relaxed) >> peer & 1U) == 0 ? 1 : 0;
  return Success;
}
inline Error_t DeviceGetP2PAttribute(int* value, int /*which*/, int device, int peer) {
  return DeviceCanAccessPeer(value, device, peer);
}
inline Error_t DeviceEnablePeerAccess(int /*peer*/, unsigned /*flags*/) { return Success; }
inline Error_t DeviceGetAttribute(int* value, attribute which, int /*device*/) {
  *value = static_cast<int>(which == unit_count ? detail::device_units : detail::wave_width);
  return Success;
}
inline Error_t FuncSetAttribute(const void* /*kernel*/, int /*which*/, int /*value*/) {
  return Success;
}
inline Error_t OccupancyMaxActiveBlocksPerMultiprocessor(int* groups, const void* /*kernel*/,
                                                         int /*items*/,
                                                         std::size_t /*group_memory*/) {
  *groups = 1;
  return Success;
}
/// Bytes of an allocation at most: a test makes this a device that has no more.
inline std::atomic<std::size_t> most_bytes{~std::size_t{0}};
/// Aligned as vendors align it.
template <class T>
Error_t Malloc(T** p, std::size_t bytes) {
  // Relaxed: it carries nothing but itself.
  if (bytes > most_bytes.load(std::memory_order_relaxed)) return ErrorMemoryAllocation;
  constexpr std::size_t alignment = 256;
  *p = static_cast<T*>(std::aligned_alloc(alignment, (bytes / alignment + 1) * alignment));
  if (*p == nullptr) return ErrorMemoryAllocation;
  detail::emulated_memory::of_process().note(*p, bytes, static_cast<unsigned>(current_gpu));
  return Success;
}
/// As if there were so much.
inline Error_t MemGetInfo(std::size_t* free, std::size_t* all) {
  *free = *all = std::size_t{2} << 30U;
  return Success;
}
inline Error_t Free(void* p) {
  // After a trap lanes may still be there, and use it.
  if (detail::has_trapped_anywhere()) return Success;
  detail::emulated_memory::of_process().forget(p);
  std::free(p);
  return Success;
}
inline Error_t Memset(void* p, int value, std::size_t bytes) {
  std::memset(p, value, bytes);
  return Success;
}
inline Error_t MemsetAsync(void* p, int value, std::size_t bytes, Stream_t on) {
  on->wait();
  return Memset(p, value, bytes);
}
inline Error_t Memcpy(void* to, const void* from, std::size_t bytes, int /*kind*/) {
  std::memcpy(to, from, bytes);
  return Success;
}
inline Error_t Memcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                        std::size_t width, std::size_t rows, int /*kind*/) {
  for (std::size_t i = 0; i < rows; ++i) {
    std::memcpy(static_cast<std::byte*>(to) + i * to_pitch,
                static_cast<const std::byte*>(from) + i * from_pitch, width);
  }
  return Success;
}
inline Error_t Memcpy2DAsync(void* to, std::size_t to_pitch, const void* from,
                             std::size_t from_pitch, std::size_t width, std::size_t rows, int kind,
                             Stream_t on) {
  on->wait();
  return Memcpy2D(to, to_pitch, from, from_pitch, width, rows, kind);
}
inline Error_t StreamCreateWithFlags(Stream_t* made, int /*flags*/) {
  *made = std::make_unique<stream>().release();
  return Success;
}
inline Error_t StreamDestroy(Stream_t ended) {
  if (detail::has_trapped_anywhere()) return Success;
  const std::unique_ptr<stream> owned(ended);
  return Success;
}
inline Error_t StreamSynchronize(Stream_t on) {
  if (detail::has_trapped_anywhere()) return ErrorLaunchFailure;
  if (on != nullptr) on->wait();
  return Success;
}
inline Error_t StreamQuery(Stream_t on) {
  // Acquire: what the lane that has trapped has told the host.
  if (detail::has_trapped[on->gpu()].load(std::memory_order_acquire)) return ErrorLaunchFailure;
  if (on->is_done()) return Success;
  // The lanes need the cores.
  std::this_thread::sleep_for(std::chrono::microseconds(50));
  return ErrorNotReady;
}
// NOLINTEND(readability-identifier-naming)

}  // namespace channels::gpu::emulated

namespace channels::gpu {

/// Threads of the CPU have enough.
inline error_code ask_for_stack(std::size_t /*bytes*/) { return success; }
inline constexpr auto unit_count = emulated::unit_count;
inline constexpr const char* unit_name = "compute unit";
inline constexpr auto wave_lanes = emulated::wave_lanes;

inline error_code allocate_pinned(void** p, std::size_t bytes) {
  if (const error_code code = emulated::Malloc(p, bytes); code != success) return code;
  detail::emulated_memory::of_process().forget(*p);  // it is the host's
  return success;
}
/// Memory of the current GPU for words that GPUs share.
inline error_code allocate_for_peers(void** p, std::size_t bytes) {
  if (const error_code code = allocate_pinned(p, bytes); code != success) return code;
  detail::emulated_memory::of_process().note(*p, bytes, detail::of_all_gpus);
  return success;
}
/// The GPUs are threads of the same cores: more than one are used only where a setting says so.
inline constexpr bool uses_all_gpus = false;
inline error_code free_pinned(void* p) { return emulated::Free(p); }

/// The lanes need the cores.
template <class T>
error_code read_variable(T& to, const T& variable) {
  to = variable;
  return success;
}
inline void host_nap() { std::this_thread::sleep_for(std::chrono::microseconds(20)); }

}  // namespace channels::gpu
