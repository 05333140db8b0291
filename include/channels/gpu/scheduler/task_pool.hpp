#pragma once

#include <algorithm>  // min
#include <cstddef>    // byte, size_t
#include <cstdint>    // uint64_t
#include <memory>     // unique_ptr

#include "channels/gpu/port/memory.hpp"
#include "channels/gpu/scheduler/run_control.hpp"
#include "channels/gpu/tuning.hpp"

namespace channels::gpu::detail {

/// The memory of the device for frames and ready tasks. Callers that never run at the same time may
/// share one, because a run leaves nothing in it. Its functions are for the host.
class task_pool {
 public:
  /// `most`: bytes at most; 0 takes a share of what is free on the device. If the device has less,
  /// it takes what it gets. Throws `channels::error` if that is next to nothing.
  explicit task_pool(std::uint64_t most)
      : bytes_(std::min<std::uint64_t>(most == 0 ? memory_for_tasks() : most,
                                       most_units * unit_bytes)),
        memory_(allocate_most<std::byte>(bytes_, pool_tuning::least_bytes,
                                         "memory for tasks (CHANNELS_MEMORY)")) {}

  [[nodiscard]] std::byte* memory() const { return memory_.get(); }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  std::size_t bytes_;
  std::unique_ptr<std::byte, free_memory> memory_;
};

}  // namespace channels::gpu::detail
