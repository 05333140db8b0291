#pragma once

#include "channels/gpu/device_aggregator/batch_builder.hpp"

namespace channels::gpu::detail {

/// The batch that the neighbour runs next, made ready while it runs the one before. There is at
/// most one plan, its windows are reserved last, and `follow` ends it either way. All lanes call
/// its functions together.
class plan_ahead {
 public:
  CHANNELS_GPU_INLINE plan_ahead(const device_aggregator_parameters& p, ledger& l)
      : p_(p), l_(l), builder_(p, l) {}

  [[nodiscard]] CHANNELS_GPU_INLINE bool is_made() const { return has_plan_; }
  /// The batch that ended last has been followed by the planned one.
  [[nodiscard]] CHANNELS_GPU_INLINE bool is_ahead() const { return is_ahead_; }
  /// The output of that batch which wrote the planned one's elements; `most_outputs` if it was not
  /// followed.
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t followed() const {
    return is_ahead_ ? output_ : most_outputs;
  }
  /// Before batches that have ended are looked for.
  CHANNELS_GPU_INLINE void forget_last() { is_ahead_ = false; }

  /// While the neighbour runs `f`, makes ready what comes next, if it is certain which batch that
  /// will be, whatever the policy: of what `f` writes to `output`, if nothing else can be
  /// dispatched then. So the neighbour has it at once. `slot` is free for it.
  CHANNELS_GPU_INLINE void make(const ledger_flight& f, std::uint32_t output, bool writes_frames,
                                std::uint32_t slot, neighbour& beside) {
    if (p_.tallies != nullptr) return;
    const numbered_window w = f.window(output);
    const ledger_channel& next = l_.channels[w.channel];
    if (w.count > wave_width || next.outputs > wave_width) return;
    // Frames become eligible where nothing is deeper.
    bool other = writes_frames && next.level <= f.level();
    for (std::uint32_t i = lane_index(); i < l_.used; i += wave_width) {
      const ledger_channel& c = l_.channels[i];
      other |= c.eligible != 0 || (c.ready != 0 && (c.frames == 0 || c.level >= next.level));
    }
    // It must not have to be cut.
    std::uint32_t bound = 0;
    if (lane_index() < next.outputs) {
      const device_output o = l_.graph.outputs[next.first_output + lane_index()];
      const std::uint32_t to = builder_.target(next, lane_index(), o);
      bound = o.bound;
      other |= bound != 0 &&
               (to == ledger::nowhere || std::uint64_t{w.count} * bound > l_.channels[to].free());
    }
    const std::uint64_t written = std::uint64_t{w.count} * (1 + total_of_wave(bound));
    other |= written > p_.most_written;
    if (ballot(other) != 0) return;
    plan_ = {slot, w.channel, w.count, beside.next_number(), &beside.next()};
    output_ = output;
    has_plan_ = true;
    l_.reports[plan_.slot].clear();
    fence_in_wave();
    if (lane_index() == 0) builder_.reserve_ahead(plan_, {w.first, w.count});
    fence_in_wave();
  }

  /// The batch of slot `ended` has ended: begins the planned one, if that is as was planned and
  /// `may_begin`. Else what was reserved for it goes back. Returns whether it has begun.
  CHANNELS_GPU_INLINE bool follow(std::uint32_t ended, bool may_begin, neighbour& beside,
                                  decision_notes& notes) {
    const batch_counters& counts = l_.reports[ended].counts;
    const std::uint32_t elements = counts.taken[output_];
    has_plan_ = false;
    is_ahead_ = may_begin && counts.remarks == 0 && elements != 0 && elements <= plan_.room;
    if (lane_index() == 0) {
      if (is_ahead_) {
        builder_.go_ahead(plan_, elements);
        if (notes.wanted()) l_.flights[plan_.slot].start = clock_ns();
      } else {
        builder_.give_back(plan_);
      }
    }
    if (!is_ahead_) {
      fence_in_wave();
      return false;
    }
    beside.ask(plan_.slot);
    return true;
  }

 private:
  const device_aggregator_parameters& p_;
  ledger& l_;
  batch_builder builder_;
  batch_builder::plan plan_{};
  std::uint32_t output_ = 0;  ///< of the batch that writes the elements
  bool has_plan_ = false;
  bool is_ahead_ = false;
};

}  // namespace channels::gpu::detail
