#pragma once

#include "channels/detail/atomic.hpp"
#include "channels/gpu/port/intrinsics.hpp"

/// What port/fences.hpp has for a GPU, for the CPU.
namespace channels::gpu::detail {

inline void converge() { meet_lanes(); }
inline void fence_in_wave() { converge(); }
template <unsigned Barrier = 1>
inline void fence_beside_call() {
  converge();
}
inline void group_barrier() {
  converge();
  if (lane_index() == 0) meet_waves();
  converge();
}
#define CHANNELS_GPU_HAS_MBARRIER 0  // see port/fences.hpp
/// ThreadSanitizer does not know fences: the operations beside them have to do it.
inline void release_to_device() {}
inline void acquire_from_device() {}
inline constexpr auto order_beside_fences = channels::detail::order::acq_rel;
inline constexpr auto release_beside_fence = channels::detail::order::release;
inline constexpr auto acquire_beside_fence = channels::detail::order::acquire;
inline void release_to_system() {}
inline void acquire_from_system() {}

}  // namespace channels::gpu::detail
