#pragma once

#include <cstdint>  // fixed-width integers
#include <vector>   // vector

/// What a device with a clock and compute units of its own notes of a traced run, in its memory.
/// Times are nanoseconds of the device's clock.
namespace channels::detail {

/// A work-group's part of a batch.
struct unit_work {
  std::uint64_t start;
  std::uint64_t end;
  std::uint16_t node;
  std::uint16_t unit;  ///< the compute unit that ran it
  std::uint32_t level;
  std::uint32_t elements;  ///< of the batch
  std::uint32_t waves;     ///< of the batch
};

/// A batch that an aggregator on the device dispatched.
struct device_batch {
  std::uint64_t start;
  std::uint64_t end;
  std::uint32_t node;
  std::uint32_t level;
  std::uint32_t elements;
  std::uint32_t slot;  ///< among those in flight
};

struct device_span {
  std::uint64_t start;
  std::uint64_t end;
};

/// A channel holds so much from now on.
struct device_fill {
  std::uint64_t at;
  std::uint32_t channel;
  std::uint32_t elements;
};

/// Of what compute units noted of a run: how many entries are left, the newest, and how many there
/// were before.
struct noted_work {
  std::uint64_t kept = 0;
  std::uint64_t dropped = 0;
};

/// The same of an aggregator on the device, while it decided.
struct handover_log {
  std::uint64_t began = 0;  ///< when the aggregator did; 0: there is no log
  std::uint64_t ended = 0;
  std::vector<device_batch> batches;
  std::vector<device_span> decisions;
  std::vector<device_fill> fills;
  std::uint64_t dropped = 0;
};

}  // namespace channels::detail
