#pragma once

#include "channels/cilk/abi.h"

namespace channels::races {

/// Each child and each rest of its parent behind a spawn has views of reducers of its own, as if
/// another worker ran it. So strands in parallel do not meet in a view, and what reductions do
/// beside is seen.

/// A frame is about to spawn: its first child uses the views that there are.
void begin_frame_views(const channels_cilk_frame* frame);
/// A child has ended: what follows has fresh views.
void next_strand_views();
/// A sync reduces all views of the frame's strands, in serial order.
void join_views(const channels_cilk_frame* frame);

}  // namespace channels::races
