#pragma once

#include <cstddef>  // size_t

#include "channels/gpu/port/intrinsics.hpp"  // wave_width

/// Every number that tunes a GPU, with its unit and its reason. They are known when a program is
/// compiled, since device code is made for them; what a user can set at run time is in
/// channels/settings.hpp.
namespace channels::gpu {

// Batches of channels: one kernel each, or work-groups of a persistent kernel.

#if defined(CHANNELS_GPU_EMULATED)
/// Wavefronts of a work-group that runs a batch. The emulated device has few cores.
inline constexpr unsigned batch_waves = 1;
/// Work-groups of a batch's kernel for each compute unit.
inline constexpr unsigned batch_groups = 1;
/// Work-items of a work-group of the persistent kernel: two wavefronts, so that those who look for
/// and tell of batches are not the same.
inline constexpr unsigned persistent_items = 2 * detail::wave_width;
/// Work-groups without which the persistent kernel does not start: one aggregates, and two share.
inline constexpr unsigned least_persistent_groups = 3;
/// Bytes of a lane's stack for its share of a group leaf: threads of the CPU have enough.
inline constexpr std::size_t leaf_stack_bytes = 0;
#else
/// Wavefronts of a work-group that runs a batch.
inline constexpr unsigned batch_waves = 4;
/// Work-groups of a batch's kernel for each compute unit: enough to fill it, whatever registers
/// the kernel takes.
inline constexpr unsigned batch_groups = 16;
/// Work-items of a work-group of the persistent kernel. One wavefront of each polls for
/// announcements, so larger groups mean fewer readers of one line.
inline constexpr unsigned persistent_items = 512;
/// Work-groups without which the persistent kernel does not start: one aggregates, one works.
inline constexpr unsigned least_persistent_groups = 2;
/// Bytes of a lane's stack for its share of a group leaf, in the persistent kernel: it calls nodes
/// by address, with few registers for each lane, so that no compiler knows what they need.
inline constexpr std::size_t leaf_stack_bytes = 4096;
#endif

}  // namespace channels::gpu
