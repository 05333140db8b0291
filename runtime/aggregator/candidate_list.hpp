#pragma once

#include <cstdint>   // fixed-width integers
#include <optional>  // optional
#include <vector>    // vector

#include "channels/scheduling.hpp"
#include "runtime/aggregator/room_planner.hpp"
#include "runtime/aggregator/run_context.hpp"

namespace channels::detail {

/// The candidates of one decision. Invariant: `candidates_` and `options_` describe the same
/// candidates, in the same order. It keeps their memory from one decision to the next.
class candidate_list {
 public:
  /// What the policy chose: up to `room` elements of this list of `source`.
  struct choice {
    channel_state* source;
    ready_kind what;
    std::uint64_t room;
  };

  /// `most_in_batch`: elements.
  candidate_list(const run_context& run, const scheduling_policy& policy, room_planner& room,
                 std::uint32_t most_in_batch)
      : run_(run), policy_(policy), room_(room), most_in_batch_(most_in_batch) {}

  /// Lets the policy choose among what could be dispatched now; nothing if there are no candidates
  /// or the policy wants to wait. `in_flight`: whether something runs; otherwise candidates that
  /// predicates refuse count as well. `epoch`: of the headway. Throws `channels::error` if the
  /// policy chooses what it must not.
  [[nodiscard]] std::optional<choice> choose(bool in_flight, std::uint64_t epoch);
  /// The same among all that is there, while nothing runs: what has no room is a candidate with
  /// room for one, for it may hold elements that need none.
  [[nodiscard]] std::optional<choice> choose_without_room(std::uint64_t epoch);

 private:
  struct option {
    channel_state* source;
    ready_kind what;
  };

  [[nodiscard]] std::optional<choice> ask_policy(bool in_flight);
  bool gather(std::uint64_t epoch, bool heed_predicates, bool without_room);
  void consider(const option& o, std::uint64_t epoch, bool heed_predicates, bool without_room);

  const run_context& run_;
  const scheduling_policy& policy_;
  room_planner& room_;
  std::uint32_t most_in_batch_;
  std::vector<candidate> candidates_;
  std::vector<option> options_;
  std::vector<option> waiting_;  ///< used inside `gather` only
};

}  // namespace channels::detail
