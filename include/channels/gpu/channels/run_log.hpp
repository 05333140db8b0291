#pragma once

#include "channels/detail/device_log.hpp"
#include "channels/gpu/port/atomic.hpp"

/// What kernels note of a traced run. Each writes to a place of its own, so no kernel waits for
/// another and no count is shared. Null pointers: the run is not traced.
namespace channels::gpu::detail {

using channels::detail::device_batch;
using channels::detail::device_fill;
using channels::detail::device_span;
using channels::detail::unit_work;

/// Where a batch's work-groups note their parts, in its slot's ring: entry `first` and the
/// following belong to its work-groups.
struct work_log {
  unit_work* entries;
  std::uint32_t mask;
  std::uint32_t first;
};

/// Where work-groups of a persistent kernel note: `each` entries for one, a power of two.
struct persistent_work_log {
  unit_work* entries;
  std::uint64_t* counts;  ///< of each, of all such kernels of the run
  std::uint32_t each;
};

/// Where the device aggregator notes: the newest `each` entries of each kind, a power of two.
struct decision_log {
  device_batch* batches;
  device_span* decisions;
  device_fill* fills;
  std::uint32_t each;
};
/// How many entries were noted, those that were overwritten included.
struct decision_counts {
  std::uint64_t batches;
  std::uint64_t decisions;
  std::uint64_t fills;
};

/// Writes notes for one lane.
class decision_notes {
 public:
  CHANNELS_GPU_INLINE explicit decision_notes(const decision_log& to) : to_(to) {}

  [[nodiscard]] CHANNELS_GPU_INLINE bool wanted() const { return to_.each != 0; }
  CHANNELS_GPU_INLINE void batch(const device_batch& b) { put(to_.batches, counts_.batches, b); }
  CHANNELS_GPU_INLINE void decision(std::uint64_t start, std::uint64_t end) {
    put(to_.decisions, counts_.decisions, {start, end});
  }
  CHANNELS_GPU_INLINE void fill(const device_fill& f) { put(to_.fills, counts_.fills, f); }
  [[nodiscard]] CHANNELS_GPU_INLINE const decision_counts& counts() const { return counts_; }

 private:
  template <class T>
  CHANNELS_GPU_INLINE void put(T* entries, std::uint64_t& count, const T& entry) {
    entries[count++ & (to_.each - 1)] = entry;
  }

  const decision_log& to_;
  decision_counts counts_{};
};

}  // namespace channels::gpu::detail
