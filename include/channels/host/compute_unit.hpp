#pragma once

#include <cstdint>  // fixed-width integers

#include "channels/config.hpp"
#include "channels/detail/batch.hpp"
#include "channels/detail/work_counters.hpp"

namespace channels::host {

class task_memory;

/// One thread of the host device while it runs batches: what kernel nodes find there. Only this
/// thread writes to it, except between runs.
struct alignas(cache_line) compute_unit {
  std::uint32_t index = 0;
  std::uint32_t width = 64;
  /// True if no other unit runs batches of this run at the same time: join counts need no locked
  /// instructions then.
  bool alone = true;
  /// The share of reservations that are refused room, in 2^-32: forced yields, for tests.
  std::uint32_t refuse_share = 0;
  std::uint64_t random_state = 1;
  /// Set when the run is to end: kernels stop at the next wavefront.
  const bool* stop = nullptr;
  const bound_channel* restarts = nullptr;  ///< where restart contexts go
  task_memory* memory = nullptr;            ///< for tasks that allocate; null if there are none
  std::uint64_t beat = 0;                   ///< grows while kernels run
  work_counters counters;
  denied_room denied;  ///< in this batch, to lanes of a graph's node

  /// Whether to end the run early. Kernels call it before each wavefront; each call also moves
  /// the beat that the watchdog reads.
  [[nodiscard]] bool stopped() {
    // Relaxed, both: nothing else is read because of either, and only this thread writes the beat.
    __atomic_store_n(&beat, beat + 1, __ATOMIC_RELAXED);
    return __atomic_load_n(stop, __ATOMIC_RELAXED);
  }

  /// Whether this reservation is refused: a forced yield. The generator is xorshift64*.
  [[nodiscard]] bool refuses() {
    if (refuse_share == 0) return false;
    random_state ^= random_state >> 12U;
    random_state ^= random_state << 25U;
    random_state ^= random_state >> 27U;
    return static_cast<std::uint32_t>((random_state * 0x2545F4914F6CDD1DULL) >> 32U) < refuse_share;
  }
};

}  // namespace channels::host
