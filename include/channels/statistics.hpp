#pragma once

#include <cstdint>  // fixed-width integers
#include <string>   // string
#include <vector>   // vector

#include "channels/host/compute_unit.hpp"

namespace channels {

/// What one channel stack held at most.
struct channel_statistics {
  std::string name;
  std::uint32_t levels = 0;         ///< levels that had a channel
  std::uint64_t most_in_level = 0;  ///< high-water mark of any one channel, in elements
  std::uint32_t largest_capacity = 0;
  std::uint64_t elements = 0;  ///< tickets handed out, in all levels
};

/// What the aggregator did in one run (or several, added up).
struct statistics {
  // Aggregator time by phase, in nanoseconds; zero unless `timed`.
  bool timed = false;
  std::uint64_t collect_ns = 0;  ///< reading control arrays and reclaiming space
  std::uint64_t decide_ns = 0;
  std::uint64_t dispatch_ns = 0;
  std::uint64_t restart_ns = 0;  ///< filing restart contexts
  std::uint64_t lent_ns = 0;     ///< the aggregator's thread ran batches as a compute unit
  std::uint64_t idle_ns = 0;     ///< nothing to do but wait
  std::uint64_t run_ns = 0;      ///< from execute to the end
  /// Compute-unit time in which a unit had nothing to run although the run was not over, over all
  /// compute-unit time: the paper's Table 5. Zero unless `timed`.
  double waiting_share = 0;

  std::uint64_t batches = 0;
  std::uint64_t batch_elements = 0;
  std::uint64_t largest_batch = 0;
  std::uint64_t restarts = 0;  ///< frames restarted after a yield
  std::uint64_t channels_made = 0;
  std::uint64_t memory_high_water = 0;  ///< bytes of channels, at most at one time
  std::uint64_t memory_limit = 0;
  std::uint32_t deepest_level = 0;
  std::uint32_t compute_units = 0;
  std::uint32_t width = 0;
  host::work_counters work;
  std::vector<channel_statistics> channels;

  /// Adds the counts of another run; marks become the higher of the two.
  statistics& operator+=(const statistics& o);
  /// Lanes that had an element, over lanes of the wavefronts dispatched (paper, figure 19).
  [[nodiscard]] double lanes_active() const;
  [[nodiscard]] std::string table() const;
  [[nodiscard]] std::string json() const;
};

}  // namespace channels
