#pragma once

#include "channels/gpu/channels/batch.hpp"
#include "channels/gpu/channels/message_line.hpp"
#include "channels/gpu/tuning.hpp"

/// The code of a kernel node, and what it is given.
namespace channels::gpu::detail {

using node_function = void (*)(const batch_parameters& batch, const batch_place& at,
                               const void* closure);

/// What all nodes of a graph are given, in the device's memory.
struct closure_block {
  const std::byte* data;
  std::uint32_t bytes;
};
/// A copy in the memory of a work-group, if there is room. Without it, a wavefront that is alone on
/// a compute unit finds nothing in its cache while others poll there.
struct alignas(16) group_closures {
  static constexpr std::uint32_t room = group_closure_bytes;
  std::byte bytes[room];

  /// All lanes of a wavefront together.
  CHANNELS_GPU_INLINE void copy(const closure_block& from) {
    if (from.bytes > room) return;
    copy_words(bytes, from.data, from.bytes / sizeof(std::uint32_t));
  }
  /// Any lane: the copy of `closure`, which is in `block`; `closure` itself if there is no copy.
  [[nodiscard]] CHANNELS_GPU_INLINE const void* of(const closure_block& block,
                                                   const void* closure) const {
    if (closure == nullptr || block.bytes > room) return closure;
    return bytes + (static_cast<const std::byte*>(closure) - block.data);
  }
};

}  // namespace channels::gpu::detail
