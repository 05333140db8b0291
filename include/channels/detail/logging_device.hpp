#pragma once

#include <vector>  // vector

#include "channels/detail/device_log.hpp"

namespace channels::detail {

/// What a device that notes what its units did offers besides `device`.
class logging_device {
 public:
  logging_device() = default;
  logging_device(const logging_device&) = delete;
  logging_device& operator=(const logging_device&) = delete;
  virtual ~logging_device() = default;

  /// Copies what the units noted of the run that has ended (see `run_setup::log`) out of the
  /// device's memory. The aggregator's thread calls it, after `device::end`.
  virtual noted_work take_log() = 0;
  /// Appends what was taken to `to`, which has room for it. Any thread may call it until the next
  /// log is taken.
  virtual void read_log(std::vector<unit_work>& to) const = 0;
};

/// What the device aggregator noted of one handover.
struct handover_log {
  std::uint64_t began = 0;  ///< when the handover began; 0: there is no log
  std::uint64_t ended = 0;
  std::vector<device_batch> batches;
  std::vector<device_span> decisions;
  std::vector<device_fill> fills;
  std::uint64_t dropped = 0;  ///< older entries that are lost
};

}  // namespace channels::detail
