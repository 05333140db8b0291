#pragma once

#include "channels/gpu/device_aggregator/batch_builder.hpp"

namespace channels::gpu::detail {

/// All lanes: the ledger at the start, from what the host hands over. Channels' addresses are
/// written for the batch workers, too; the first announcement releases them.
CHANNELS_GPU_INLINE void fill_ledger(const device_aggregator_parameters& p, ledger& l,
                                     batch_builder& builder) {
  copy_words(&l.graph, p.graph, sizeof(device_graph) / sizeof(std::uint32_t));
  l.closures.copy(p.closures);
  fence_in_wave();
  for (std::uint32_t i = lane_index(); i < most_graph_nodes; i += wave_width) {
    const void*& closure = l.graph.nodes[i].closure;
    closure = l.closures.of(p.closures, closure);
  }
  for (std::uint32_t i = lane_index(); i < most_handover_places; i += wave_width)
    l.channel_at[i] = ledger::nowhere;
  for (std::uint32_t i = lane_index(); i < most_graph_nodes; i += wave_width)
    l.node_batches[i] = l.node_elements[i] = 0;
  for (std::uint32_t i = lane_index(); i < p.channel_count; i += wave_width) {
    const handover_channel& c = p.channels[i];
    l.channels[i].begin(c);
    std::uint32_t* const done = c.counted != 0 ? p.done + c.first_count : nullptr;
    // Released with the first batch.
    p.addresses[i] = {c.data, c.capacity - 1, c.id, done, c.done_group};
    l.addresses[i] = p.addresses[i];
    if (c.counted != 0) store<order::relaxed>(&p.tallies[c.id], c.ready_frames);
  }
  fence_in_wave();
  std::uint32_t used = 0;
  for (std::uint32_t i = lane_index(); i < p.channel_count; i += wave_width)
    used = l.channels[i].live() != 0 ? i + 1 : used;
  used = most_of_wave(used);
  if (lane_index() == 0) l.used = used;
  for (std::uint32_t i = lane_index(); i < p.channel_count; i += wave_width) {
    const ledger_channel& c = l.channels[i];
    if (c.current != 0) {
      l.channel_at[builder.place(c.stack, c.level)] = static_cast<std::uint16_t>(i);
    }
  }
  fence_in_wave();
  for (std::uint32_t i = lane_index(); i < p.channel_count; i += wave_width)
    builder.find_targets(i);
  fence_in_wave();
}

}  // namespace channels::gpu::detail
