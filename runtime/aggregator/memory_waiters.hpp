#pragma once

#include <cstdint>  // fixed-width integers
#include <string>   // string

#include "channels/detail/task_allocations.hpp"
#include "runtime/aggregator/channel_table.hpp"
#include "runtime/aggregator/headway.hpp"

namespace channels::detail {

/// Frames that wait for task memory. Invariant: `count_` is the number of tickets in the lists
/// `starved` and `granted` of all channels.
class memory_waiters {
 public:
  /// `memory`: null if no task allocates; then no frame waits.
  memory_waiters(task_allocations* memory, channel_table& table, headway& progress)
      : memory_(memory), table_(table), headway_(progress) {}

  /// A frame of `c` found no memory. `granted`: although it had gone on alone.
  void add(channel_state& c, std::uint64_t ticket, bool granted) {
    (granted ? c.granted : c.starved).push_back(ticket);
    ++count_;
  }
  [[nodiscard]] bool any() const { return count_ != 0; }
  /// Lets all of them try again if memory was given back since they last did.
  void retry_after_releases() {
    if (count_ != 0 && memory_->releases() != releases_seen_) retry();
  }
  /// Nothing runs and nothing else can: joins free memory and lets all of them try again, or, if
  /// that was in vain, lets one go on alone with the memory that is kept. False if neither is left
  /// to try.
  bool relieve();
  /// Whether the next batch of this list is the one frame that goes on alone: the last of
  /// `waiting`.
  [[nodiscard]] bool grants(const channel_state& c, ready_kind what) const {
    return granting_ == &c && what == ready_kind::waiting;
  }
  /// That frame has been dispatched.
  void went_alone() { granting_ = nullptr; }
  /// The text of the error if they wait in vain; otherwise empty.
  [[nodiscard]] std::string failure() const {
    return count_ != 0 ? memory_->failure() : std::string();
  }

 private:
  static constexpr std::uint64_t never = ~std::uint64_t{0};

  void retry();
  bool grant_one();

  task_allocations* memory_;
  channel_table& table_;
  headway& headway_;
  std::uint64_t count_ = 0;
  std::uint64_t releases_seen_ = 0;  ///< when they last tried
  std::uint64_t joined_at_ = never;  ///< the epoch when they tried after free memory was joined
  const channel_state* granting_ = nullptr;  ///< the channel whose next waiting frame goes on alone
  std::uint64_t granted_at_ = never;         ///< the epoch when one was let go on alone
};

}  // namespace channels::detail
