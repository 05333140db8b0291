#pragma once

#include <cstdint>  // fixed-width integers

#include "channels/config.hpp"
#include "channels/detail/batch.hpp"

namespace channels::host {

class task_memory;

/// What a compute unit counted. Plain numbers: each unit has its own, and they are added up when
/// nothing runs.
struct work_counters {
  std::uint64_t tasks = 0;         ///< elements consumed by work and pre-spawn nodes
  std::uint64_t resumed = 0;       ///< frames run by post-spawn nodes
  std::uint64_t waves = 0;         ///< wavefronts
  std::uint64_t lanes = 0;         ///< lanes of those wavefronts that had an element
  std::uint64_t retries = 0;       ///< elements that found no room before they did anything
  std::uint64_t yields = 0;        ///< frames that stopped at a spawn
  std::uint64_t blocks = 0;        ///< blocks of elements reserved (one atomic or more each)
  std::uint64_t join_atomics = 0;  ///< atomics on join counts
  std::uint64_t busy_ns = 0;       ///< time in kernel nodes; known at the end of a run

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

/// One host thread while it runs batches: what kernel nodes find there.
struct alignas(cache_line) compute_unit {
  std::uint32_t index = 0;
  std::uint32_t width = 64;
  /// True if no other unit runs batches of this run at the same time: join counts need no locked
  /// instructions then.
  bool alone = true;
  /// Refuse room to this share of reservations, in 2^-32.
  std::uint32_t refuse_share = 0;
  std::uint64_t random_state = 1;
  /// Set when the run is to end: kernels stop at the next wavefront.
  const bool* stop = nullptr;
  const bound_channel* restarts = nullptr;  ///< where restart contexts go
  task_memory* memory = nullptr;            ///< for tasks that allocate; null if there are none
  std::uint64_t beat = 0;                   ///< grows while kernels run
  work_counters counters;

  /// Asked before each wavefront: whether to end the run early. Counts, for the watchdog.
  [[nodiscard]] bool stopped() {
    // Relaxed, both: neither carries anything but itself, and only this thread writes the beat.
    __atomic_store_n(&beat, beat + 1, __ATOMIC_RELAXED);
    return __atomic_load_n(stop, __ATOMIC_RELAXED);
  }

  /// Whether a forced yield hits now. xorshift64*.
  [[nodiscard]] bool refuses() {
    if (refuse_share == 0) return false;
    random_state ^= random_state >> 12U;
    random_state ^= random_state << 25U;
    random_state ^= random_state >> 27U;
    return static_cast<std::uint32_t>((random_state * 0x2545F4914F6CDD1DULL) >> 32U) < refuse_share;
  }
};

/// Runs the elements of `work` through a kernel node whose constant arguments are at `arguments`.
using kernel = void (*)(compute_unit&, batch& work, const void* arguments);

}  // namespace channels::host
