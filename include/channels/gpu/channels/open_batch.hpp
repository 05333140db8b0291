#pragma once

#include "channels/gpu/channels/device_aggregator_parameters.hpp"

/// From an announcement to the parameters of a batch, and from its counters to a report.
namespace channels::gpu::detail {

/// One lane: sets what is the same for all batches of a run.
CHANNELS_GPU_INLINE void prepare_batch(const device_aggregator_parameters& p, batch_parameters& b) {
  b.log = {};
  b.refuse_share = p.refuse_share;
  b.tickets = nullptr;
  b.tallies = p.tallies;
  b.heap = p.heap;
  b.grants = 0;
}

// One lane each: set what a batch's channels are.

CHANNELS_GPU_INLINE void set_source(batch_parameters& b, const channel_address& from) {
  b.source = from.data;
  b.source_mask = from.mask;
  b.source_channel = from.id;
  if (b.tallies != nullptr && from.done != nullptr) b.frames = {from.done, from.mask, from.group};
}
CHANNELS_GPU_INLINE void set_output(batch_parameters& b, std::uint32_t output,
                                    const channel_address& to, std::uint64_t first,
                                    std::uint32_t count) {
  b.outputs[output] = {to.data, first, count, to.mask, to.id};
  if (b.tallies != nullptr && to.done != nullptr) b.frames = {to.done, to.mask, to.group};
}
/// One lane: sets where the batch leaves remarks, and the seed of its lanes' random numbers.
CHANNELS_GPU_INLINE void set_slot(const device_aggregator_parameters& p, batch_parameters& b,
                                  std::uint32_t slot, std::uint32_t number) {
  b.seed = p.seed + number * 2246822519U;
  b.remarks = p.remarks[slot];
  b.more_remarks = p.more_remarks[slot];
}

/// Makes the batch that the announcement `m` tells of. All lanes of a wavefront call it together.
CHANNELS_GPU_INLINE void open_batch(const device_aggregator_parameters& p, const std::uint32_t* m,
                                    std::uint32_t number, std::uint32_t outputs,
                                    const channel_address* addresses, batch_parameters& b) {
  for (std::uint32_t i = lane_index(); i < outputs; i += wave_width) {
    const numbered_window w = announcement::read_window(m, i);
    if (w.channel == numbered_window::no_channel) {
      b.outputs[i] = {};
    } else {
      set_output(b, i, addresses[w.channel], w.first, w.count);
    }
  }
  if (lane_index() != 0) return;
  // First all reads: a write between them makes the next one wait.
  const channel_address source = addresses[m[announcement::source]];
  const std::uint32_t count = m[batch_head::elements];
  const std::uint32_t node = m[batch_head::node];
  const std::uint32_t level = m[batch_head::level];
  const std::uint32_t runs = m[batch_head::runs];
  const std::uint32_t budget = m[announcement::budget];
  const std::uint32_t slot = m[batch_head::slot];
  channels::run all[announcement::most_runs];
  CHANNELS_GPU_UNROLL
  for (std::uint32_t i = 0; i < announcement::most_runs; ++i) all[i] = announcement::read_run(m, i);
  set_source(b, source);
  set_slot(p, b, slot, number);
  b.count = count;
  b.node = node;
  b.level = level;
  b.run_count = runs;
  std::uint32_t before = 0;
  CHANNELS_GPU_UNROLL
  for (std::uint32_t i = 0; i < announcement::most_runs; ++i) {
    // Entries beyond the last run mean nothing.
    b.first[i] = all[i].first;
    b.before[i] = before;
    before += all[i].count;
  }
  b.budget = budget;
}

/// Writes what a batch has counted to `report`, and sets the counters to 0. All lanes of a
/// wavefront call it together. Relaxed: the caller has acquired what other work-groups counted.
CHANNELS_GPU_INLINE void read_counters(const batch_parameters& b, std::uint32_t* report) {
  batch_counters& c = *b.counters;
  for (std::uint32_t i = lane_index(); i < most_outputs; i += wave_width) {
    report[report_word::taken + i] = load<order::relaxed>(b.taken_of(i));
    store<order::relaxed>(b.taken_of(i), 0);
  }
  if (lane_index() == 0) {
    report[report_word::remarks] = load<order::relaxed>(&c.remarks);
    report[report_word::frames] = load<order::relaxed>(&c.frames);
    store<order::relaxed>(&c.remarks, 0);
    store<order::relaxed>(&c.frames, 0);
    store<order::relaxed>(&c.released, 0);
    store<order::relaxed>(&c.waves_done, 0);
  }
}

}  // namespace channels::gpu::detail
