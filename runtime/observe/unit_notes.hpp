#pragma once

#include <cstdint>  // fixed-width integers
#include <string>   // string
#include <vector>   // vector

#include "channels/detail/device_log.hpp"
#include "runtime/observe/device_clock.hpp"
#include "runtime/observe/trace_track.hpp"

namespace channels::detail {

struct trace_part;

/// What the compute units of a device noted of one run. The notes become events only when the trace
/// is written: that takes ten times as long as keeping the notes.
struct unit_notes {
  std::vector<unit_work> work;
  device_clock clock;                 ///< of the device, in this run
  std::vector<std::uint32_t> labels;  ///< labels of batches, by node
  std::string unit;                   ///< what the device calls a compute unit
  std::uint32_t width;                ///< lanes of a wavefront
};

/// Puts the notes on tracks of the compute units. Each track keeps a share of `capacity` slots.
void enter(unit_notes notes, trace_part& part, std::uint32_t capacity);

/// The event of a batch, or of a work-group's part of one, with `elements` in `waves` wavefronts.
/// The caller sets its times.
[[nodiscard]] trace_event batch_event(std::uint32_t label, std::uint32_t level,
                                      std::uint32_t elements, std::uint64_t waves,
                                      std::uint32_t width);
/// `lanes` in percent of all lanes of `waves` wavefronts.
[[nodiscard]] std::uint32_t lanes_active(std::uint64_t lanes, std::uint64_t waves,
                                         std::uint32_t width);

}  // namespace channels::detail
