#pragma once

#include <cstdint>  // fixed-width integers

namespace channels {

/// What kernel nodes counted in one run. Plain numbers: each compute unit of the host writes its
/// own, and the device adds them up when nothing runs.
struct work_counters {
  std::uint64_t tasks = 0;         ///< elements consumed by work and pre-spawn nodes
  std::uint64_t resumed = 0;       ///< frames run by post-spawn nodes
  std::uint64_t waves = 0;         ///< wavefronts
  std::uint64_t lanes = 0;         ///< lanes of those wavefronts that had an element
  std::uint64_t retries = 0;       ///< elements that found no room before they did anything
  std::uint64_t yields = 0;        ///< frames that stopped at a spawn
  std::uint64_t blocks = 0;        ///< blocks of elements reserved (one atomic or more each)
  std::uint64_t join_atomics = 0;  ///< atomics on join counts
  std::uint64_t busy_ns = 0;       ///< nanoseconds in kernel nodes; known at the end of a run

  work_counters& operator+=(const work_counters& o) {
    tasks += o.tasks;
    resumed += o.resumed;
    waves += o.waves;
    lanes += o.lanes;
    retries += o.retries;
    yields += o.yields;
    blocks += o.blocks;
    join_atomics += o.join_atomics;
    busy_ns += o.busy_ns;
    return *this;
  }
  work_counters& operator-=(const work_counters& o) {
    tasks -= o.tasks;
    resumed -= o.resumed;
    waves -= o.waves;
    lanes -= o.lanes;
    retries -= o.retries;
    yields -= o.yields;
    blocks -= o.blocks;
    join_atomics -= o.join_atomics;
    busy_ns -= o.busy_ns;
    return *this;
  }
};

}  // namespace channels
