#pragma once

#include <cstdint>  // fixed-width integers
#include <string>   // string
#include <vector>   // vector

#include "channels/detail/device_log.hpp"
#include "runtime/observe/device_clock.hpp"
#include "runtime/observe/trace_track.hpp"

namespace channels::detail {

struct trace_part;

/// What the compute units of a device noted of one run. It becomes events when the trace is
/// written: that takes ten times as long as to keep it.
struct unit_notes {
  std::vector<unit_work> work;
  device_clock clock;                 ///< knows the run's time
  std::vector<std::uint32_t> labels;  ///< of batches, by node
  std::string unit;                   ///< what the device calls a compute unit
  std::uint32_t width;                ///< of a wavefront
};

/// Puts it on tracks of the compute units, of which each keeps its share of `capacity` slots.
void enter(unit_notes notes, trace_part& part, std::uint32_t capacity);

/// A batch, or a work-group's part of one, whose `elements` ran in so many wavefronts; without its
/// times.
[[nodiscard]] trace_event batch_event(std::uint32_t label, std::uint32_t level,
                                      std::uint32_t elements, std::uint64_t waves,
                                      std::uint32_t width);
/// Of the lanes of so many wavefronts, in percent.
[[nodiscard]] std::uint32_t lanes_active(std::uint64_t lanes, std::uint64_t waves,
                                         std::uint32_t width);

}  // namespace channels::detail
