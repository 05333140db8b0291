#pragma once

#include <atomic>  // atomic

#include "channels/gpu/port/emulation/gpus.hpp"

namespace channels::gpu::detail {

/// A lane of this GPU has trapped. The devices are the process's own.
inline std::atomic<bool> has_trapped[emulated_gpus] = {};

/// Whether lanes of some GPU will never end: nothing waits for them, or frees what they may use.
inline bool has_trapped_anywhere() {
  for (const std::atomic<bool>& one : has_trapped) {
    if (one.load(std::memory_order_acquire)) return true;
  }
  return false;
}

}  // namespace channels::gpu::detail
