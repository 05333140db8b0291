#pragma once

#include "channels/gpu/device_aggregator/ledger_channel.hpp"
#include "channels/gpu/device_aggregator/ledger_flight.hpp"

namespace channels::gpu::detail {

/// All that the device aggregator knows, in the memory of its work-group.
struct ledger {
  static constexpr std::uint16_t nowhere = 0xffff;

  device_graph graph;
  group_closures closures;
  channel_address addresses[most_handover_channels];
  ledger_channel channels[most_handover_channels];
  std::uint16_t
      channel_at[most_handover_places];  ///< channel, by level from the least on and stack
  ledger_flight flights[device_batches_in_flight];
  std::uint64_t node_batches[most_graph_nodes];
  std::uint64_t node_elements[most_graph_nodes];
  std::uint32_t message[line::size];  ///< the last
  std::uint32_t used;                 ///< channels: in those behind there has never been anything
  ledger_report reports[device_batches_in_flight];
};

}  // namespace channels::gpu::detail
