#pragma once

#include "channels/gpu/port/emulation/kernel_call.hpp"
#include "channels/gpu/port/emulation/stream.hpp"

namespace channels::gpu::emulated {

CHANNELS_GPU_HOST void start(stream* on, unsigned groups, unsigned items, std::size_t group_memory,
                             const kernel_call& kernel) {
  on->run(groups, items, group_memory, kernel);
}

}  // namespace channels::gpu::emulated
