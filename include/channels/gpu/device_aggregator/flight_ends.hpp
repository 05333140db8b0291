#pragma once

#include "channels/gpu/device_aggregator/ledger.hpp"

namespace channels::gpu::detail {

/// What the end of a batch changes in the ledger, and what is counted of it. Every batch that ends
/// is either taken or passed on to the host, once.
class flight_ends {
 public:
  CHANNELS_GPU_INLINE flight_ends(const device_aggregator_parameters& p, ledger& l)
      : p_(p), l_(l) {}

  /// Whether the channel can keep so many runs and pieces more.
  [[nodiscard]] CHANNELS_GPU_INLINE bool has_place(std::uint32_t channel, std::uint32_t runs,
                                                   std::uint32_t freed) const {
    const ledger_channel& c = l_.channels[channel];
    return c.runs + runs <= handover_channel::most_runs &&
           c.freed + freed <= ledger_channel::most_pieces;
  }
  /// Whether the channels can keep what the batch leaves.
  [[nodiscard]] CHANNELS_GPU_INLINE bool fits(const ledger_flight& f) const {
    const auto windows_to = [&f](std::uint32_t channel) {
      std::uint32_t windows = 0;
      for (std::uint32_t i = 0; i < f.outputs; ++i) windows += f.window(i).channel == channel;
      return windows;
    };
    const std::uint32_t source = f.source();
    const std::uint32_t run_count = f.run_count();
    for (std::uint32_t i = 0; i < f.outputs; ++i) {
      const std::uint32_t to = f.window(i).channel;
      if (to == numbered_window::no_channel) continue;
      // Most channels have plenty of places.
      if (has_place(to, f.outputs, f.outputs + run_count)) continue;
      const std::uint32_t windows = windows_to(to);
      if (!has_place(to, windows, windows + (to == source ? run_count : 0))) return false;
    }
    return has_place(source, 0, run_count);
  }

  /// Lane 0: what was consumed is free, what was written is ready. What was written to the output
  /// `followed` is on its way in the next batch already; `most_outputs`: there is no such output.
  /// `arrivals` counts runs that became ready.
  CHANNELS_GPU_INLINE void take(std::uint32_t slot, std::uint32_t followed, std::uint32_t& arrivals,
                                decision_notes& notes) {
    ledger_flight& f = l_.flights[slot];
    const std::uint32_t node = f.node();
    const std::uint32_t outputs = f.outputs;
    std::uint32_t consumed = f.count();
    ledger_channel& source = l_.channels[f.source()];
    const std::uint32_t in_flight = source.in_flight;
    level_ = source.level;
    const std::uint64_t batches_of_node = l_.node_batches[node];
    const std::uint64_t elements_of_node = l_.node_elements[node];
    if (source.counted) {
      const std::uint32_t frames = l_.reports[slot].counts.frames;
      consumed = frames < f.budget() ? frames : f.budget();
      source.resumed += consumed;
    } else {
      const std::uint32_t run_count = f.run_count();
      for (std::uint32_t i = 0; i < run_count; ++i) {
        const channels::run r = f.run(i);
        source.free_piece(r.first, r.count);
      }
    }
    for (std::uint32_t i = 0; i < outputs; ++i) {
      const numbered_window w = f.window(i);
      const std::uint32_t all = l_.reports[slot].counts.taken[i];
      f.dead[i] = 0;
      if (w.channel == numbered_window::no_channel || w.count == 0) continue;
      ledger_channel& to = l_.channels[w.channel];
      --to.windows;
      const std::uint32_t taken = all < w.count ? all : w.count;
      if (to.counted) {
        f.dead[i] = to.keep_window(w.first, taken, w.count);
        if (f.dead[i] != 0 || l_.reports[slot].counts.frames != 0) to.freed = 1;
        continue;
      }
      // Else the next batch has them already.
      if (i != followed) to.enqueue(w.first, taken, ++arrivals);
      if (taken != w.count) to.give_back(w.first, taken, w.count);
    }
    source.in_flight = in_flight - 1;
    source.going -= f.run_count();
    l_.node_batches[node] = batches_of_node + 1;
    l_.node_elements[node] = elements_of_node + consumed;
    ++batches_;
    most_ = most_ < consumed ? consumed : most_;
    if (notes.wanted()) note(slot, consumed, notes);
  }

  /// All lanes: puts a batch's report where the host reads it.
  CHANNELS_GPU_INLINE void pass_report_on(std::uint32_t slot) {
    batch_report& r = *p_.host_reports[slot];
    const ledger_flight& f = l_.flights[slot];
    for (std::uint32_t i = lane_index(); i < most_outputs; i += wave_width)
      r.taken[i] = l_.reports[slot].counts.taken[i];
    if (lane_index() == 0) {
      r.remarks = l_.reports[slot].counts.remarks;
      const std::uint32_t frames = l_.reports[slot].counts.frames;
      r.frames = frames < f.budget() ? frames : f.budget();
      r.released = 0;
    }
  }

  // Known to lane 0.

  [[nodiscard]] CHANNELS_GPU_INLINE std::uint64_t batches() const { return batches_; }
  /// Elements of the largest batch.
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t largest() const { return most_; }
  /// The level of the batch that ended last.
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t level() const { return level_; }

 private:
  /// Lane 0: the batch, and what the channels hold that it read and wrote.
  CHANNELS_GPU_INLINE void note(std::uint32_t slot, std::uint32_t consumed, decision_notes& notes) {
    const ledger_flight& f = l_.flights[slot];
    const std::uint32_t source = f.source();
    notes.batch({f.start, f.end, f.node(), l_.channels[source].level, consumed, slot});
    notes.fill({f.end, source, l_.channels[source].live()});
    for (std::uint32_t i = 0; i < f.outputs; ++i) {
      const std::uint32_t to = f.window(i).channel;
      if (to != numbered_window::no_channel) notes.fill({f.end, to, l_.channels[to].live()});
    }
  }

  const device_aggregator_parameters& p_;
  ledger& l_;
  std::uint64_t batches_ = 0;
  std::uint32_t most_ = 0;
  std::uint32_t level_ = 0;
};

}  // namespace channels::gpu::detail
