#pragma once

#include "channels/gpu/channels/batch_worker.hpp"
#include "channels/gpu/device_aggregator/aggregator.hpp"
#include "channels/gpu/device_aggregator/neighbour.hpp"

/// The persistent kernel: its first work-group has the device aggregator and its neighbour, and all
/// others are batch workers.
namespace channels::gpu::detail {

/// What the first work-group has of its own.
struct alignas(16) first_group_memory {
  ledger books;
  neighbour_memory beside;  ///< last: leaves' memory comes after it
};

/// Bytes that a work-group has of its own; `leaf_bytes` for each wavefront.
[[nodiscard]] constexpr std::size_t persistent_group_bytes(std::size_t leaf_bytes,
                                                           std::size_t waves) {
  return std::max(sizeof(worker_memory) + leaf_bytes * waves,
                  sizeof(first_group_memory) + leaf_bytes);
}

/// All wavefronts of the first work-group: the first decides, the second is the neighbour.
CHANNELS_GPU_INLINE void run_first_group(const device_aggregator_parameters& p,
                                         first_group_memory& m) {
  const std::uint32_t wave = wave_in_group();
  if (wave == 0 && lane_index() == 0) {
    m.beside.asked.begin();
    m.beside.ended.begin();
    m.beside.busy_ns = 0;
    for (neighbour_batch& b : m.beside.batch) prepare_batch(p, b.batch);
  }
  group_barrier();
  if (wave == 0) {
    device_aggregator(p, m.books, m.beside, group_count() - 1).run();
  } else if (wave == 1) {
    neighbour_wavefront(p, m.beside).run();
  }
}

/// The whole kernel: all work-items of all work-groups.
CHANNELS_GPU_INLINE void run_persistent_group(const device_aggregator_parameters& p) {
  std::byte* const memory = reinterpret_cast<std::byte*>(group_memory());
  if (group_index() != 0) {
    batch_worker(p, *reinterpret_cast<worker_memory*>(memory)).run();
  } else {
    run_first_group(p, *reinterpret_cast<first_group_memory*>(memory));
  }
}

}  // namespace channels::gpu::detail
