#pragma once

#include "runtime/aggregator/headway.hpp"
#include "runtime/aggregator/memory_waiters.hpp"
#include "runtime/aggregator/room_planner.hpp"
#include "runtime/aggregator/run_context.hpp"

namespace channels::detail {

/// What the aggregator does when nothing runs and nothing can: finds room, or says what is missing.
/// Its state is the headway's and the waiters'.
class relief {
 public:
  relief(const run_context& run, headway& progress, memory_waiters& waiters, room_planner& room)
      : run_(run), headway_(progress), waiters_(waiters), room_(room) {}

  /// Lets frames that wait for memory go on, or enlarges channels that waiting work writes to,
  /// deepest first. Throws `channels::error` if neither is possible.
  void find_room_or_fail();

 private:
  [[noreturn]] void fail(const channel_state* stuck) const;
  [[noreturn]] void fail_without_room(const channel_state& c) const;

  const run_context& run_;
  headway& headway_;
  memory_waiters& waiters_;
  room_planner& room_;
};

}  // namespace channels::detail
