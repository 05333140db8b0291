#pragma once

#include "channels/gpu/device_aggregator/ledger.hpp"

namespace channels::gpu::detail {

/// Lane 0: a batch that has ended, and that the host has to make sense of.
CHANNELS_GPU_INLINE void pass_batch_on(const ledger_flight& f, std::uint32_t slot,
                                       batch_for_host& to) {
  to.slot = slot;
  to.node = f.node();
  to.source = f.source();
  to.count = f.count();
  to.start = f.start;
  to.end = f.end;
  to.run_count = f.run_count();
  for (std::uint32_t i = 0; i < to.run_count; ++i) to.runs[i] = f.run(i);
  for (std::uint32_t i = 0; i < f.outputs; ++i) {
    const numbered_window w = f.window(i);
    to.windows[i].channel = w.channel;
    to.windows[i].count = w.count;
    to.windows[i].first = w.first;
  }
}

}  // namespace channels::gpu::detail
