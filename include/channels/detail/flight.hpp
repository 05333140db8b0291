#pragma once

#include <cstdint>  // fixed-width integers
#include <vector>   // vector

#include "channels/detail/batch.hpp"
#include "channels/detail/model.hpp"

namespace channels::detail {

/// Elements that a batch has written to one of its outputs.
struct written_run {
  std::uint32_t output = 0;
  run elements;
};

/// A batch between its dispatch and its end: what the device reads, and what it fills in. It stays
/// at its address until it comes back from `device::poll`.
struct flight {
  batch work;
  const node_model* node = nullptr;  ///< the kernel node that consumes the batch
  /// By output: elements that the batch may write. The aggregator keeps that much room for it.
  const std::uint64_t* promised = nullptr;
  bool frames = false;   ///< consumes frames
  bool alone = false;    ///< nothing else is in flight: it may write as much as there is room for
  bool granted = false;  ///< its one frame may use the task memory that is kept, until it finishes

  /// When the batch began and ended, in nanoseconds of the device's clock; 0 if that is unknown or
  /// the device has no clock of its own.
  std::uint64_t device_start = 0;
  std::uint64_t device_end = 0;
  /// What the aggregator has to enqueue, in any order. Only devices that `reports_writes` fill it.
  std::vector<written_run> written;
};

}  // namespace channels::detail
