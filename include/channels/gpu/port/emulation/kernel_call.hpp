#pragma once

#include <cstddef>  // size_t

#include "channels/gpu/port/host_part.hpp"

namespace channels::gpu::emulated {

class stream;

/// A kernel with its parameters, which `end` deletes.
struct kernel_call {
  void* parameters;
  void (*run)(const void* parameters);
  void (*end)(void* parameters);
};

CHANNELS_GPU_HOST void start(stream* on, unsigned groups, unsigned items, std::size_t group_memory,
                             const kernel_call& kernel);

}  // namespace channels::gpu::emulated
