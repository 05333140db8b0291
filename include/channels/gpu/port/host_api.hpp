#pragma once

#if defined(CHANNELS_GPU_EMULATED)
#include "channels/gpu/port/emulation/host_api.hpp"
#else

#include <cstddef>  // size_t

#include "channels/gpu/port/launch.hpp"

/// The rest of the vendor's interface for the host: the functions that differ in more than the
/// prefix.

namespace channels::gpu {

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
/// Sees to it that lanes' stacks are at least so large; here the driver does.
inline error_code ask_for_stack(std::size_t /*bytes*/) { return hipSuccess; }
inline constexpr auto unit_count = hipDeviceAttributeMultiprocessorCount;
inline constexpr const char* unit_name = "compute unit";
inline constexpr auto wave_lanes = hipDeviceAttributeWarpSize;
#else
inline error_code allocate_pinned(void** p, std::size_t bytes) {
  return cudaHostAlloc(p, bytes, cudaHostAllocMapped);
}
inline error_code free_pinned(void* p) { return cudaFreeHost(p); }
/// Memory of the current GPU for words that GPUs share.
inline error_code allocate_for_peers(void** p, std::size_t bytes) { return cudaMalloc(p, bytes); }
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
#endif

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

}  // namespace channels::gpu

#endif
