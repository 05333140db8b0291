#pragma once

#include <cstddef>  // byte
#include <string>   // string

#include "channels/detail/flight.hpp"
#include "channels/detail/handover.hpp"
#include "channels/detail/model.hpp"

namespace channels::detail {

/// What a device with an aggregator of its own offers besides `device`. Between `hand_over` and the
/// handback the host's aggregator submits nothing to the device. The aggregator's thread calls it.
class aggregating_device {
 public:
  aggregating_device() = default;
  aggregating_device(const aggregating_device&) = delete;
  aggregating_device& operator=(const aggregating_device&) = delete;
  virtual ~aggregating_device() = default;

  /// Why the device's aggregator cannot run `model`; empty if it can.
  [[nodiscard]] virtual std::string why_no_aggregator(const graph_model& model) const = 0;
  /// Fills new memory for frames of the counted rule with bytes that no ready frame has: the
  /// device's aggregator looks for ready frames in all of it.
  virtual void blank(std::byte* data, std::size_t bytes) = 0;

  /// Starts the device's aggregator with the channels in `r`. Nothing is in flight. `r` stays at
  /// its address until the device has handed back.
  virtual void hand_over(handover& r) = 0;
  /// True, once, if the device has handed back: `r` then says what it left.
  [[nodiscard]] virtual bool has_handed_back(handover& r) = 0;
  /// How far the device's aggregator is, as of a moment ago.
  [[nodiscard]] virtual handover_progress how_far() const = 0;
  /// Takes a batch that the device left to the host at its handback; `poll` returns `f` next.
  virtual void return_batch(flight* f, const handover::left_batch& batch) = 0;
};

}  // namespace channels::detail
