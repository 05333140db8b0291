#pragma once

#include <chrono>   // steady_clock
#include <cstdint>  // fixed-width integers
#include <string>   // string
#include <vector>   // vector

#include "runtime/aggregator/element_copies.hpp"
#include "runtime/aggregator/headway.hpp"
#include "runtime/aggregator/run_context.hpp"
#include "runtime/net/courier.hpp"

namespace channels::detail {

/// Far channels in the aggregator's loop: what is ready in a channel of departures goes to the
/// courier, in the place of a kernel node, and what the courier has received goes to the landing
/// channels. Elements that have no credit stay ready where they are, and so their channel fills up
/// and has no room: the back pressure of any channel. Only the aggregator's thread uses it.
class far_channels {
 public:
  /// A run of `run.model`, which has far channels.
  far_channels(const run_context& run, const element_copies& copies, headway& progress);

  void begin() { courier_.begin(); }
  /// Receives, lands, lets depart and sends. `idle`: nothing is in flight and nothing could be
  /// dispatched. `passive`: besides, nothing is left. Returns whether anything has changed here.
  bool turn(bool idle, bool passive, std::uint64_t progress);
  /// The run has ended at all places.
  [[nodiscard]] bool have_ended() const { return courier_.has_ended(); }
  /// Whether elements wait for credit.
  [[nodiscard]] bool wait_for_credit() const { return waiting_; }
  void finish() { courier_.finish(); }
  /// What went to and came from each other place, over all far channels.
  [[nodiscard]] std::vector<link_statistics> counted() const;
  void tell_failure(const std::string& why) noexcept { courier_.tell_failure(why); }
  /// Passes time while nothing happens: the more the longer it has been so.
  void pause();
  /// Every so often while nothing happens: time to try something else.
  [[nodiscard]] bool has_paused_long() const {
    return naps_ == 0 ? pauses_ % 64 == 32 : naps_ % 4 == 1;
  }

 private:
  bool land();
  bool land_from(const far_model& far, far_traffic& traffic, std::uint32_t source);
  bool depart();
  bool depart_from(channel_state& c, const far_model& far, far_traffic& to);

  const run_context& run_;
  const element_copies& copies_;
  headway& headway_;
  courier courier_;
  bool waiting_ = false;
  std::uint32_t pauses_ = 0;  ///< since something happened; of those naps:
  std::uint32_t naps_ = 0;
  std::chrono::steady_clock::time_point idle_since_;
};

/// What has to be the same of a graph at all places, line by line.
[[nodiscard]] std::string description_of(const graph_model& model);

}  // namespace channels::detail
