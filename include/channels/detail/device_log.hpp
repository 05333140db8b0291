#pragma once

#include <cstdint>  // fixed-width integers

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

/// How many entries of `unit_work` a device has of one run.
struct noted_work {
  std::uint64_t kept = 0;     ///< the newest, which are still there
  std::uint64_t dropped = 0;  ///< older ones, which newer ones have overwritten
};

/// A batch that the device aggregator dispatched.
struct device_batch {
  std::uint64_t start;
  std::uint64_t end;
  std::uint32_t node;
  std::uint32_t level;
  std::uint32_t elements;
  std::uint32_t slot;  ///< its place among the batches in flight
};

/// A decision of the device aggregator.
struct device_span {
  std::uint64_t start;
  std::uint64_t end;
};

/// A channel holds this many elements from now on.
struct device_fill {
  std::uint64_t at;
  std::uint32_t channel;  ///< place in `handover::channels`
  std::uint32_t elements;
};

}  // namespace channels::detail
