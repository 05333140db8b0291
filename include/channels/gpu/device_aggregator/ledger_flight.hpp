#pragma once

#include <cstddef>  // offsetof

#include "channels/gpu/channels/device_aggregator_parameters.hpp"

/// A batch between its dispatch and its end, as the device aggregator knows it.
namespace channels::gpu::detail {

/// A flight: a batch between its dispatch and its end, as it was announced.
struct ledger_flight {
  std::uint32_t number;
  std::uint32_t outputs;
  std::uint64_t start;  ///< if batches are noted
  std::uint64_t end;
  std::uint32_t message[announcement::lines * line::size];
  std::uint32_t dead[most_outputs];  ///< of a window's end, afterwards: see `keep_window`

  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t node() const { return message[batch_head::node]; }
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t level() const {
    return message[batch_head::level];
  }
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t source() const {
    return message[announcement::source];
  }
  /// Elements.
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t count() const {
    return message[batch_head::elements];
  }
  /// Frames that it may resume, where it has to look for them.
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t budget() const {
    return message[announcement::budget];
  }
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t run_count() const {
    return message[batch_head::runs];
  }
  [[nodiscard]] CHANNELS_GPU_INLINE channels::run run(std::uint32_t i) const {
    return announcement::read_run(message, i);
  }
  CHANNELS_GPU_INLINE void set_run(std::uint32_t i, channels::run r) {
    announcement::words::write_run(message, i, r);
  }
  [[nodiscard]] CHANNELS_GPU_INLINE numbered_window window(std::uint32_t i) const {
    return announcement::read_window(message, i);
  }
  CHANNELS_GPU_INLINE void set_window(std::uint32_t i, const numbered_window& w) {
    announcement::words::write_window(message, announcement::most_runs, i, w);
  }
};

/// What a batch has counted: as its work-groups have reported, or where the neighbour counts.
struct ledger_report {
  batch_counters counts;
  std::uint32_t rest[line::size - sizeof(batch_counters) / sizeof(std::uint32_t)];

  /// The words of the report: see `report_word`.
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t* words() {
    return reinterpret_cast<std::uint32_t*>(this);
  }
  /// All lanes together.
  CHANNELS_GPU_INLINE void clear() {
    for (std::uint32_t i = lane_index(); i < line::size; i += wave_width) words()[i] = 0;
  }
};
static_assert(sizeof(ledger_report) == sizeof(std::uint32_t) * line::size);
static_assert(offsetof(batch_counters, taken) == sizeof(std::uint32_t) * report_word::taken &&
              offsetof(batch_counters, remarks) == sizeof(std::uint32_t) * report_word::remarks &&
              offsetof(batch_counters, frames) == sizeof(std::uint32_t) * report_word::frames);

}  // namespace channels::gpu::detail
