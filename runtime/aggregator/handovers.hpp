#pragma once

#include <cstdint>  // fixed-width integers

#include "channels/detail/aggregating_device.hpp"
#include "channels/detail/handover.hpp"
#include "channels/scheduling.hpp"
#include "runtime/aggregator/flight_table.hpp"
#include "runtime/aggregator/headway.hpp"
#include "runtime/aggregator/restart_channel.hpp"
#include "runtime/aggregator/run_accounts.hpp"
#include "runtime/aggregator/run_context.hpp"

namespace channels::detail {

/// The handovers of one run: hands over to the device aggregator, and takes back what it leaves.
/// Invariant: while a handover is on (`is_on`), the host has nothing in flight, and the channels in
/// `handover_` belong to the device.
class handovers {
 public:
  handovers(const run_context& run, flight_table& flights, headway& progress,
            run_accounts& accounts, const restart_channel& restarts)
      : run_(run),
        flights_(flights),
        headway_(progress),
        accounts_(accounts),
        restarts_(restarts) {}

  /// Makes handovers possible for the rest of the run, with the order that `policy` goes by. Throws
  /// `channels::error` if the device cannot decide for this graph or by this policy.
  void allow(const scheduling_policy& policy);
  /// True if the device aggregator decides, or is about to: then what the host has in flight must
  /// end first.
  bool hand_over();
  [[nodiscard]] bool is_on() const { return on_; }
  /// Takes back what the device left, if it has handed back.
  void take_back_if_ended();
  /// The same in a run that has failed: drops what the device left.
  void drop_if_ended() {
    if (on_ && device_->has_handed_back(handover_)) on_ = false;
  }
  /// How far the device aggregator is.
  [[nodiscard]] handover_progress how_far() const {
    return on_ ? device_->how_far() : handover_progress();
  }
  /// The host has dispatched a batch.
  void host_dispatched() {
    if (turns_of_host_ != 0) --turns_of_host_;
  }

 private:
  [[nodiscard]] bool is_tidy() const;
  void make_channels_ahead();
  bool describe_channels();
  void describe_counted(const channel_state& c, handover_channel& s);
  void take_back();
  void take_back_channel(std::size_t i);
  void return_batch(const handover::left_batch& batch);

  const run_context& run_;
  flight_table& flights_;
  headway& headway_;
  run_accounts& accounts_;
  const restart_channel& restarts_;
  aggregating_device* device_ = nullptr;  ///< null until handovers are allowed
  scheduling_order order_ = scheduling_order::custom;
  bool on_ = false;
  handover handover_;
  /// Levels below the deepest for which channels are made before a handover: more each time that
  /// the device hands back for lack of levels, so that this is seldom.
  std::uint32_t levels_ahead_ = 12;
  /// Dispatches by the host before the next handover, after one in which the device could do
  /// nothing.
  std::uint32_t turns_of_host_ = 0;
};

}  // namespace channels::detail
