#pragma once

#include <cstdint>  // fixed-width integers

#include "channels/gpu/port/device_code.hpp"

/// What the GPUs of one run share: a run on one GPU has none of it.
namespace channels::gpu::detail {

/// Inbox lines of a GPU. A line has the role for a GPU that an inbox has for a wavefront, and one
/// wavefront that reads it. 32, so that one word has a bit for each.
inline constexpr std::uint32_t peer_lines = 32;
/// GPUs of one run at most.
inline constexpr std::uint32_t most_peers = 16;

/// Where a wavefront learns of a gift from another GPU, or that the run is over. Each is on a line
/// of memory of its own.
struct alignas(128) line_message {
  /// 0: nothing yet; `run_is_over`; otherwise the number of tasks in the line.
  std::uint32_t message;
};

/// One for each GPU, in its own memory, which the others reach. All lanes use its words by atomics
/// of the system's scope, those of its own GPU as well: atomics of different scopes on one word do
/// not see each other. The tasks of the lines follow it in memory.
struct peer_block {
  /// A bit for each line whose wavefront wants a gift; one that clears it has to send one.
  alignas(128) std::uint32_t wants;
  // In the first GPU's block, for all of them:
  alignas(128) std::uint64_t working;  ///< GPUs that have work, and gifts under way to GPUs
  alignas(128) std::uint64_t sum;      ///< of the GPUs that have no work any more
  line_message lines[peer_lines];

  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t* tasks() {
    return reinterpret_cast<std::uint32_t*>(this + 1);
  }
};

/// The blocks of all GPUs of a run, and which of them runs this kernel.
struct peer_set {
  std::uint32_t count;  ///< 1 or 0: the GPU is alone
  std::uint32_t self;
  peer_block* blocks[most_peers];
};

}  // namespace channels::gpu::detail
