#pragma once

#include "runtime/aggregator/headway.hpp"
#include "runtime/aggregator/memory_waiters.hpp"
#include "runtime/aggregator/parked_elements.hpp"
#include "runtime/aggregator/room_planner.hpp"
#include "runtime/aggregator/run_context.hpp"

namespace channels::detail {

/// What the aggregator does when nothing runs and nothing can: finds room, or says what is missing.
/// Its state is the headway's and the waiters'.
class relief {
 public:
  relief(const run_context& run, headway& progress, memory_waiters& waiters, room_planner& room,
         parked_elements& parked)
      : run_(run), headway_(progress), waiters_(waiters), room_(room), parked_(parked) {}

  /// Lets frames that wait for memory go on; or enlarges channels that waiting work writes to,
  /// deepest first; or parks elements, and lets a few go on. Throws `channels::error` if none of
  /// these is possible.
  void find_room_or_fail();
  /// Nothing can run until other places give credit, which they may only do when this one has taken
  /// what they have sent: parks what waits here, so that there is room for it.
  void make_room_for_arrivals();

 private:
  bool grow_outputs();
  [[nodiscard]] const channel_state* deepest_stuck() const;
  [[noreturn]] void fail() const;

  const run_context& run_;
  headway& headway_;
  memory_waiters& waiters_;
  room_planner& room_;
  parked_elements& parked_;
};

}  // namespace channels::detail
