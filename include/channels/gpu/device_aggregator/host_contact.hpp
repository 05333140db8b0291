#pragma once

#include "channels/gpu/device_aggregator/ledger.hpp"
#include "channels/gpu/tuning.hpp"

namespace channels::gpu::detail {

/// What the device aggregator says and hears while it decides: its progress, and whether it is to
/// stop. Words in the host's memory, in no order with anything else.
class host_contact {
 public:
  CHANNELS_GPU_INLINE host_contact(const device_aggregator_parameters& p, const ledger& l)
      : p_(p), l_(l) {}

  /// All lanes: beats go on from those of the kernel before.
  CHANNELS_GPU_INLINE void begin() {
    if (lane_index() == 0) beats_ = p_.end->beats;
  }
  /// All lanes: whether the host wants the run to end. The host's word is microseconds away, so the
  /// caller asks seldom.
  [[nodiscard]] CHANNELS_GPU_INLINE bool wants_stop() const {
    const std::uint32_t stop = lane_index() == 0 ? peek(&p_.end->stop) : 0;
    return of_lane(stop, 0) != 0;
  }
  /// All lanes: tells the host that batches end, and of what level the last one was. It does so
  /// seldom, because the next fence waits for the bus.
  CHANNELS_GPU_INLINE void beat(std::uint64_t now, std::uint32_t level) {
    if (lane_index() != 0 || now - beaten_ < host_contact_tuning::beat_ns) return;
    beaten_ = now;
    std::uint64_t tasks = 0;
    for (std::uint32_t i = 0; i < l_.graph.stack_count; ++i) {
      const device_stack& s = l_.graph.stacks[i];
      if (!s.frames && s.consumer < most_graph_nodes) tasks += l_.node_elements[s.consumer];
    }
    channels::detail::atomic_store<order::relaxed>(&p_.end->tasks, tasks);
    channels::detail::atomic_store<order::relaxed>(&p_.end->level, level);
    // Relaxed: only whether it changes matters.
    channels::detail::atomic_store<order::relaxed>(&p_.end->beats, ++beats_);
  }

 private:
  const device_aggregator_parameters& p_;
  const ledger& l_;
  std::uint32_t beats_ = 0;
  std::uint64_t beaten_ = 0;  ///< when the host was last told
};

}  // namespace channels::gpu::detail
