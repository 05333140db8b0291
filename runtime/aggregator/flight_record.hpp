#pragma once

#include <cstdint>  // fixed-width integers
#include <vector>   // vector

#include "channels/detail/flight.hpp"
#include "runtime/aggregator/channel_state.hpp"

namespace channels::detail {

/// What the aggregator keeps of a flight. Invariant: the four lists by output have one entry for
/// each output of the node, in its order.
struct flight_record : flight {
  channel_state* source = nullptr;
  ready_kind what = ready_kind::fresh;
  std::uint32_t number = 0;  ///< its place in the flight table
  bool returned = false;     ///< the device aggregator dispatched it and left it to the host
  std::vector<channel_state*> outputs;
  std::vector<const bound_channel*> bound_outputs;
  std::vector<std::uint64_t> promises;  ///< what `promised` points to
  std::vector<std::uint64_t> tickets;   ///< of elements and frames that are dispatched one by one

  /// Adds the next output, of which `promise` elements are kept free. `to`: null if there is none.
  void add_output(channel_state* to, std::uint64_t promise) {
    if (to != nullptr) to->promised += promise;
    outputs.push_back(to);
    bound_outputs.push_back(to == nullptr ? nullptr : &to->bound);
    promises.push_back(promise);
  }
  /// Whether the batch, which has ended, did any of its work.
  [[nodiscard]] bool finished_anything() const {
    return work.consumed > work.restarted || work.spawned != 0;
  }
  /// Whether the batch, which has ended, changed anything. It did not if nothing was consumed, or
  /// if all of it went back to waiting without having spawned. What it reserved and gave back, as
  /// its share of several channels, is no change.
  [[nodiscard]] bool changed_anything() const {
    const bool stayed =
        what == ready_kind::waiting && work.restarted == work.consumed && work.spawned == 0;
    return work.consumed != 0 && !stayed;
  }
};

}  // namespace channels::detail
