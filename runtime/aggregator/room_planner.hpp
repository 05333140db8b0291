#pragma once

#include <cstdint>  // fixed-width integers

#include "runtime/aggregator/run_context.hpp"

namespace channels::detail {

/// Finds and makes room in the channels that batches may write to. It has no state of its own: room
/// is what the channel table says.
class room_planner {
 public:
  explicit room_planner(const run_context& run) : run_(run) {}

  /// How many of `ready` elements of `c` have room for what they may write. Makes or enlarges the
  /// channels that they write to.
  [[nodiscard]] std::uint64_t room_for(const channel_state& c, ready_kind what,
                                       std::uint64_t ready);
  /// Doubles the channels that what waits in `c` writes to, whatever that leaves for others. True
  /// if one of them is larger now.
  bool grow_outputs(const channel_state& c);

 private:
  /// The channel that `c`'s node writes to through `o`, or null.
  [[nodiscard]] channel_state* output_of(const channel_state& c, const output_model& o) const {
    return run_.table.find(o.stack, run_.table.level_of(o, c.level));
  }

  const run_context& run_;
};

}  // namespace channels::detail
