#pragma once

#include "channels/gpu/device_aggregator/ledger.hpp"

namespace channels::gpu::detail {

/// Frames of the counted rule, for the device aggregator. It learns of frames that became ready as
/// sums, and of frames that are free as done counts, both in the device's memory. By the levelized
/// rule it does nothing. All lanes call its functions together.
class ready_frames {
 public:
  CHANNELS_GPU_INLINE ready_frames(const device_aggregator_parameters& p, ledger& l)
      : p_(p), l_(l) {}

  /// Reads how many frames have become ready. `arrivals`: as lane 0 counts them.
  CHANNELS_GPU_INLINE void read_tallies(std::uint32_t& arrivals) {
    if (p_.tallies == nullptr) return;
    arrivals = of_lane(arrivals, 0) + 1;
    for (std::uint32_t i = lane_index(); i < p_.channel_count; i += wave_width) {
      ledger_channel& c = l_.channels[i];
      if (!c.counted) continue;
      // Acquire: a batch that looks for these frames from now on finds them.
      const std::uint32_t told = load<order::acquire>(&p_.tallies[l_.addresses[i].id]);
      if (c.told == c.resumed && told != c.told) c.arrival = arrivals;
      c.told = told;
      // A batch may have found a frame before it was counted; and a frame that waited for no child
      // may have been counted while the batch that wrote it goes on: then there may be nothing yet
      // to look through.
      const auto left = static_cast<std::int32_t>(c.told - c.resumed);
      const bool may_look = c.in_flight == 0 && c.runs != 0 && left > 0;
      c.eligible = may_look ? static_cast<std::uint32_t>(left) : 0;
    }
    fence_in_wave();
  }

  /// When a batch has been taken: finds out which frames are free.
  CHANNELS_GPU_INLINE void free_after(const ledger_flight& f) {
    if (p_.tallies == nullptr) return;
    if (l_.channels[f.source()].counted) reclaim(f.source());
    for (std::uint32_t i = 0; i < f.outputs; ++i) {
      const numbered_window w = f.window(i);
      if (w.channel == numbered_window::no_channel || !l_.channels[w.channel].counted) continue;
      count_done(w.channel, w.first + w.count - f.dead[i], f.dead[i]);
      // While a batch looks through the channel, nothing there may change hands.
      const ledger_channel& to = l_.channels[w.channel];
      if (to.freed != 0 && to.in_flight == 0) reclaim(w.channel);
    }
  }

 private:
  /// Counts frames as done that were reserved and not written.
  CHANNELS_GPU_INLINE void count_done(std::uint32_t channel, std::uint64_t first,
                                      std::uint32_t count) {
    const channel_address& at = l_.addresses[channel];
    const frame_counts counts{at.done, at.mask, at.group};
    const std::uint64_t end = first + count;
    const std::uint64_t groups_from = first & ~std::uint64_t{at.group - 1};
    for (std::uint64_t group = groups_from + std::uint64_t{lane_index()} * at.group; group < end;
         group += std::uint64_t{wave_width} * at.group) {
      const std::uint64_t from = group < first ? first : group;
      const std::uint64_t until = group + at.group < end ? group + at.group : end;
      // Relaxed: no lane has used them.
      fetch_add<order::relaxed>(counts.of(group), static_cast<std::uint32_t>(until - from));
    }
    fence_in_wave();
  }
  /// Makes room of what is done, in order and by whole groups. If all of the channel is done, the
  /// rest of the last group is skipped.
  CHANNELS_GPU_INLINE void reclaim(std::uint32_t channel) {
    ledger_channel& c = l_.channels[channel];
    const channel_address& at = l_.addresses[channel];
    const frame_counts counts{at.done, at.mask, at.group};
    std::uint64_t head = c.head & ~std::uint64_t{at.group - 1};
    for (;;) {
      const std::uint64_t group = head + std::uint64_t{lane_index()} * at.group;
      bool whole = false;
      if (group < c.tail) {
        const std::uint64_t there = c.tail - group < at.group ? c.tail - group : at.group;
        // Acquire: a lane that writes there next comes after those that used it.
        whole = load<order::acquire>(counts.of(group)) == there;
      }
      const lane_mask open = ballot(!whole);
      const std::uint32_t free = open == 0 ? wave_width : first(open);
      // Relaxed: its next lap's counts are told of with a batch.
      if (lane_index() < free) store<order::relaxed>(counts.of(group), 0);
      head += std::uint64_t{free} * at.group;
      if (free != wave_width) break;
    }
    fence_in_wave();
    if (lane_index() == 0 && head > c.head) {
      c.free_up_to(head < c.tail ? head : c.tail);
      if (c.live() == 0) c.freed = 0;
    }
    fence_in_wave();
  }

  const device_aggregator_parameters& p_;
  ledger& l_;
};

}  // namespace channels::gpu::detail
