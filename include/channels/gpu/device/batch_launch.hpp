#pragma once

#include <cstdint>  // uint32_t

#include "channels/gpu/channels/batch.hpp"
#include "channels/gpu/port/launch.hpp"

namespace channels::gpu::detail {

/// What a node's code needs to start.
struct batch_launch {
  const batch_parameters& parameters;
  unsigned groups;
  unsigned items;  ///< of a group
  std::uint32_t waves;
  stream_handle stream;
};

}  // namespace channels::gpu::detail
