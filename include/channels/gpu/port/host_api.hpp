#pragma once

#if defined(CHANNELS_GPU_EMULATED)
#include "channels/gpu/port/emulation/host_api.hpp"
#else

#include <cstddef>      // size_t
#include <string>       // string
#include <type_traits>  // type_identity_t

#include "channels/gpu/port/compiler.hpp"

/// The vendor's interface for the host: `CHANNELS_GPU(Malloc)` is cudaMalloc or hipMalloc. The
/// functions here are those that differ in more than the prefix.

#if defined(__HIP__)
#define CHANNELS_GPU(name) hip##name
#else
#define CHANNELS_GPU(name) cuda##name
#endif

namespace channels::gpu {

using error_code = CHANNELS_GPU(Error_t);
using stream_handle = CHANNELS_GPU(Stream_t);

#if defined(__HIP__)
inline error_code allocate_pinned(void** p, std::size_t bytes) {
  return hipHostMalloc(p, bytes, hipHostMallocMapped);
}
inline error_code free_pinned(void* p) { return hipHostFree(p); }
/// Memory of the current GPU for words that GPUs share: only fine-grained memory is coherent
/// between them while kernels run.
inline error_code allocate_for_peers(void** p, std::size_t bytes) {
  return hipExtMallocWithFlags(p, bytes, hipDeviceMallocFinegrained);
}
inline std::string name_of_gpu(int device) {
  char name[256] = "?";
  return hipDeviceGetName(name, sizeof name, device) == hipSuccess ? name : "?";
}
/// Sees to it that lanes' stacks are at least so large; here the driver does.
inline error_code ask_for_stack(std::size_t /*bytes*/) { return hipSuccess; }
inline constexpr auto unit_count = hipDeviceAttributeMultiprocessorCount;
inline constexpr const char* unit_name = "compute unit";
inline constexpr auto wave_lanes = hipDeviceAttributeWarpSize;
/// Bytes that a work-group may have in its own memory.
inline constexpr std::size_t most_group_memory = std::size_t{64} << 10U;
#else
inline error_code allocate_pinned(void** p, std::size_t bytes) {
  return cudaHostAlloc(p, bytes, cudaHostAllocMapped);
}
inline error_code free_pinned(void* p) { return cudaFreeHost(p); }
/// Memory of the current GPU for words that GPUs share.
inline error_code allocate_for_peers(void** p, std::size_t bytes) { return cudaMalloc(p, bytes); }
inline std::string name_of_gpu(int device) {
  cudaDeviceProp is{};
  return cudaGetDeviceProperties(&is, device) == cudaSuccess ? is.name : "?";
}
/// Sees to it that lanes' stacks are at least so large.
inline error_code ask_for_stack(std::size_t bytes) {
  std::size_t now = 0;
  const error_code code = cudaDeviceGetLimit(&now, cudaLimitStackSize);
  if (code != cudaSuccess || now >= bytes) return code;
  return cudaDeviceSetLimit(cudaLimitStackSize, bytes);
}
inline constexpr auto unit_count = cudaDevAttrMultiProcessorCount;
inline constexpr const char* unit_name = "SM";
inline constexpr auto wave_lanes = cudaDevAttrWarpSize;
/// Bytes that a work-group may have in its own memory.
inline constexpr std::size_t most_group_memory = std::size_t{200} << 10U;
#endif

inline constexpr error_code success = CHANNELS_GPU(Success);

/// Whether runs use all GPUs that reach each other, if no setting says which.
inline constexpr bool uses_all_gpus = true;

/// Copies the value of a variable of the device.
template <class T>
error_code read_variable(T& to, const T& variable) {
#if defined(__HIP__)
  return hipMemcpyFromSymbol(&to, HIP_SYMBOL(variable), sizeof to);
#else
  return cudaMemcpyFromSymbol(&to, variable, sizeof to);
#endif
}

/// The host calls it between two looks at memory that the device writes to.
inline void host_nap() {}

/// Starts a kernel with `groups` work-groups, each of `items` work-items and with `group_memory`
/// bytes of memory of its own.
template <class... Parameters>
void launch(void (*kernel)(Parameters...), unsigned groups, unsigned items,
            std::size_t group_memory, stream_handle stream,
            const std::type_identity_t<Parameters>&... parameters) {
  kernel<<<groups, items, group_memory, stream>>>(parameters...);
}

}  // namespace channels::gpu

#endif
