#pragma once

#include "channels/config.hpp"  // CHANNELS_CXX20
#if CHANNELS_CXX20

#include <array>    // array
#include <cstdint>  // fixed-width integers
#include <string>   // string
#include <vector>   // vector

#include "channels/detail/work_counters.hpp"

namespace channels {

/// What one channel stack held at most.
struct channel_statistics {
  std::string name;
  std::uint32_t levels = 0;         ///< levels that had a channel
  std::uint64_t most_in_level = 0;  ///< high-water mark of any one channel, in elements
  std::uint32_t largest_capacity = 0;
  std::uint64_t elements = 0;  ///< tickets handed out, in all levels
};

/// What one kernel node did. A frame that the counted rule resumes in the lane of its last child
/// counts for that child's node.
struct node_statistics {
  std::string name;
  std::uint64_t batches = 0;
  std::uint64_t elements = 0;  ///< consumed
  std::uint64_t waves = 0;     ///< wavefronts
  std::uint64_t lanes = 0;     ///< lanes of those wavefronts that had an element
  std::uint64_t retries = 0;
  std::uint64_t yields = 0;
  std::uint64_t restarts = 0;  ///< elements and frames dispatched again after a retry or a yield
  std::uint64_t busy_ns = 0;   ///< nanoseconds of compute units

  node_statistics& operator+=(const node_statistics& o);
};

/// What one compute unit did.
struct unit_statistics {
  std::uint64_t batches = 0;
  std::uint64_t elements = 0;
  std::uint64_t busy_ns = 0;
};

/// What went from one place to another one over far channels, as the first place counts.
struct link_statistics {
  std::uint32_t here = 0;
  std::uint32_t place = 0;
  std::uint64_t elements_sent = 0;
  std::uint64_t elements_arrived = 0;  ///< from `place`
  std::uint64_t parcels_sent = 0;      ///< with elements
  std::uint64_t bytes_sent = 0;        ///< of these parcels
  std::uint64_t credit_waits = 0;      ///< how often an element for `place` had to wait for credit

  /// Adds what another run, or another far channel, counted between the same places.
  link_statistics& operator+=(const link_statistics& o);
};

/// What the aggregator did in one run (or several, added up).
struct statistics {
  // Aggregator time by phase, in nanoseconds; zero unless `timed`.
  bool timed = false;
  std::uint64_t collect_ns = 0;  ///< reading control arrays and reclaiming space
  std::uint64_t decide_ns = 0;
  std::uint64_t dispatch_ns = 0;
  std::uint64_t restart_ns = 0;  ///< filing restart contexts
  std::uint64_t lent_ns = 0;     ///< running batches as a compute unit
  std::uint64_t idle_ns = 0;     ///< waiting for batches
  std::uint64_t run_ns = 0;      ///< from execute to the end
  /// Handovers, and the time of the device aggregator in nanoseconds: deciding, and waiting for
  /// batches. The host's aggregator is idle meanwhile.
  std::uint64_t handovers = 0;
  std::uint64_t device_decide_ns = 0;
  std::uint64_t device_idle_ns = 0;
  /// Compute-unit time in which a unit had nothing to run although the run was not over, over all
  /// compute-unit time: the paper's Table 5. Zero unless `timed`. A GPU with the host's aggregator
  /// counts as one unit: the time in which no batch ran at all. With the device aggregator each
  /// work-group counts by itself: a work-group also waits when a batch is too small for all of
  /// them, when others finish a batch, and while the persistent kernel starts and ends.
  double waiting_share = 0;

  std::uint64_t runs = 0;  ///< 1, or how many were added up
  std::uint64_t batches = 0;
  std::uint64_t batch_elements = 0;
  std::uint64_t largest_batch = 0;
  /// Batches by size: entry i counts those of at most 2^i elements that do not fit entry i - 1.
  std::array<std::uint64_t, 21> batch_sizes{};
  std::uint64_t parked = 0;       ///< elements moved to the host's memory, for lack of room
  std::uint64_t cut_by_room = 0;  ///< batches that room downstream made smaller than what was ready
  std::uint64_t restarts = 0;     ///< frames restarted after a yield
  std::uint64_t channels_made = 0;
  std::uint64_t memory_high_water = 0;  ///< the most bytes of channels at one time
  std::uint64_t memory_limit = 0;       ///< bytes
  /// `settings::memory` with which a run of this depth completes, whatever its width.
  std::uint64_t memory_minimum = 0;
  std::uint32_t deepest_level = 0;
  std::uint32_t compute_units = 0;
  std::uint32_t width = 0;   ///< lanes of a wavefront
  std::string device;        ///< as `settings::device` names it
  std::string device_model;  ///< as its maker calls it; empty unless `timed`
  work_counters work;
  std::vector<channel_statistics> channels;
  std::vector<node_statistics> nodes;  ///< empty unless `timed`
  std::vector<unit_statistics> units;  ///< empty unless `timed`
  std::vector<link_statistics> links;  ///< by `here` and `place`; empty unless at several places

  /// Adds the counts of another run; marks become the higher of the two.
  statistics& operator+=(const statistics& o);
  /// Lanes that had an element, over lanes of the wavefronts dispatched (paper, figure 19).
  [[nodiscard]] double lanes_active() const;
  /// As text for a person, one line for each figure.
  [[nodiscard]] std::string table() const;
  [[nodiscard]] std::string json() const;
};

}  // namespace channels

#endif
