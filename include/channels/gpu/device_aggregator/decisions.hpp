#pragma once

#include "channels/gpu/device_aggregator/batch_builder.hpp"

namespace channels::gpu::detail {

/// Which batch to dispatch next: each lane looks at some channels, and the best of all is chosen by
/// the policy's rank. It changes nothing but `eligible` of frames. All lanes call its functions
/// together, except `consider`.
class batch_chooser {
 public:
  CHANNELS_GPU_INLINE batch_chooser(const device_aggregator_parameters& p, ledger& l)
      : p_(p), l_(l), builder_(p, l) {}

  /// A batch that could be dispatched.
  struct choice {
    channels::candidate_rank rank;
    std::uint32_t room = 0;  ///< elements; 0: there is nothing
    std::uint32_t channel = 0;
    bool cut = false;    ///< there is less room than elements
    bool wants = false;  ///< the host could make more
  };

  /// Once, when the ledger knows the graph.
  CHANNELS_GPU_INLINE void begin() {
    for (std::uint32_t i = 0; i < l_.graph.stack_count; ++i)
      levelized_ |= p_.tallies == nullptr && l_.graph.stacks[i].frames;
  }
  /// Whether the last choice saw a channel with elements for which the host could make more room.
  [[nodiscard]] CHANNELS_GPU_INLINE bool wants_room() const { return wanting_; }

  /// The levelized rule: frames are eligible at the deepest level that holds anything, if no batch
  /// of that level is in flight. By the counted rule there are no such frames.
  CHANNELS_GPU_INLINE void release_frames() {
    if (!levelized_) return;
    std::uint32_t deepest = 0;  // level + 1, and whether it is at work
    for (std::uint32_t i = lane_index(); i < l_.used; i += wave_width) {
      const ledger_channel& c = l_.channels[i];
      const std::uint32_t at = 2 * (c.level + 1) + (c.in_flight != 0 ? 1 : 0);
      if (at > deepest && (c.head != c.tail || c.in_flight != 0)) deepest = at;
    }
    deepest = most_of_wave(deepest);
    if (deepest == 0 || deepest % 2 != 0) return;
    for (std::uint32_t i = lane_index(); i < l_.used; i += wave_width) {
      ledger_channel& c = l_.channels[i];
      if (2 * (c.level + 1) == deepest && l_.graph.stacks[c.stack].frames && !c.counted)
        c.eligible = c.ready;
    }
    fence_in_wave();
  }

  /// The best that can be dispatched; with no room if there is nothing.
  CHANNELS_GPU_INLINE choice choose() {
    choice best;
    bool wants = false;
    for (std::uint32_t i = lane_index(); i < l_.used; i += wave_width) {
      const choice c = consider(i);
      wants |= c.wants;
      if (c.room != 0 && (best.room == 0 || c.rank.is_above(best.rank))) best = c;
    }
    wanting_ = ballot(wants) != 0;
    const bool has_any = best.room != 0;
    const lane_mask with_any = ballot(has_any);
    if (with_any == 0) return {};
    unsigned from = first(with_any);
    if (with_any != lane_mask{1} << from) {
      const std::uint32_t high = most_of_wave(has_any ? best.rank.high : 0);
      const bool is_high = has_any && best.rank.high == high;
      const std::uint32_t low = most_of_wave(is_high ? best.rank.low : 0);
      from = first(ballot(is_high && best.rank.low == low));
    }
    const std::uint32_t flags = of_lane((best.cut ? 1U : 0U) | (best.wants ? 2U : 0U), from);
    choice of_all;
    of_all.room = of_lane(best.room, from);
    of_all.channel = of_lane(best.channel, from);
    of_all.cut = (flags & 1U) != 0;
    of_all.wants = (flags & 2U) != 0;
    return of_all;
  }

 private:
  /// One lane: what can be dispatched of a channel.
  [[nodiscard]] CHANNELS_GPU_INLINE choice consider(std::uint32_t channel) const {
    const ledger_channel& c = l_.channels[channel];
    choice x;
    const bool frames = c.frames != 0;
    const std::uint32_t waiting = frames ? c.eligible : c.ready;
    if (waiting == 0) return x;
    const std::uint32_t outputs = c.outputs;
    const std::uint32_t first_output = c.first_output;
    // What is in flight brings pieces together, or the host does when there is nothing left.
    const std::uint32_t runs = c.runs < announcement::most_runs ? c.runs : announcement::most_runs;
    if (c.counted == 0 && !c.has_place_to_take(runs)) return x;
    const std::uint32_t ready = waiting < p_.most_in_batch ? waiting : p_.most_in_batch;
    std::uint32_t room = ready;
    std::uint32_t all = 1;
    for (std::uint32_t i = 0; i < outputs; ++i) {
      const device_output o = l_.graph.outputs[first_output + i];
      const std::uint32_t to = builder_.target(c, i, o);
      if (o.bound == 0) continue;
      all += o.bound;
      if (to == ledger::nowhere) {
        room = 0;
        x.wants = !frames;
        continue;
      }
      const ledger_channel& t = l_.channels[to];
      if (t.counted == 0 && !t.has_place_for_window()) return {};
      // Most channels have plenty of room, and a division takes its time.
      const std::uint32_t free = t.free();
      if (std::uint64_t{ready} * o.bound <= free) continue;
      const std::uint32_t fit = free / o.bound;
      room = fit < room ? fit : room;
      const std::uint64_t wanted = std::uint64_t{c.ready} * o.bound;
      x.wants |= !frames && t.capacity < wanted && t.asked < wanted;
    }
    x.cut = room < ready;
    // A continuation mostly spawns nothing more; it yields if it finds no room.
    if (room == 0 && frames) room = ready < wave_width ? ready : wave_width;
    if (std::uint64_t{room} * all > p_.most_written) room = p_.most_written / all;
    // A policy sees a lack of memory; a channel that can grow and the limit above are none.
    const std::uint32_t wanted_room = x.cut && !x.wants ? ready : room;
    x.rank = rank_by(p_.order, {c.level, wanted_room, room, c.arrival, frames});
    x.room = room;
    x.channel = channel;
    return x;
  }

  const device_aggregator_parameters& p_;
  ledger& l_;
  batch_builder builder_;
  bool wanting_ = false;
  bool levelized_ = false;  ///< there are frames that wait for deeper levels
};

}  // namespace channels::gpu::detail
