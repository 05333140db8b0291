#pragma once

#include <cstdint>  // uint64_t

#include "channels/cilk/abi.h"

namespace channels::races {

/// Each child and each rest of its parent behind a spawn has views of reducers of its own, as if
/// another worker ran it. So strands in parallel do not meet in a view, and what reductions do
/// beside is seen.

/// The strand that runs, as views count them: 0 is the leftmost, whose views are the variables.
extern std::uint64_t view_strand;
extern std::uint64_t newest_view_strand;
/// Whether a strand has views of its own.
extern bool any_views;

/// A frame that has spawned, and the strand that it goes back to at its sync.
struct frame_base {
  const channels_cilk_frame* frame;
  std::uint64_t strand;
};
/// The newest of these frames; the oldest is one that no frame is.
extern frame_base* newest_frame;
extern frame_base* last_place;
/// Twice as many places for frames, of which all are taken.
void grow_frames();

/// A frame is about to spawn: its first child uses the views that there are.
inline void begin_frame_views(const channels_cilk_frame* frame) {
  if (newest_frame->frame == frame) return;
  if (__builtin_expect(newest_frame == last_place, 0)) grow_frames();
  *++newest_frame = {frame, view_strand};
}
/// A child has ended: what follows has fresh views.
inline void next_strand_views() { view_strand = ++newest_view_strand; }
/// An iteration of a loop has ended: the next one has fresh views. Those of the iterations before
/// are reduced into those of the strand `loop`, which is 0 until there are some.
void next_iteration_views(std::uint64_t& loop);

/// Reduces all views of strands after `base` into its own, in serial order.
void reduce_views_after(std::uint64_t base);
/// A sync reduces all views of the frame's strands.
inline void join_views(const channels_cilk_frame* frame) {
  if (newest_frame->frame != frame) return;
  view_strand = newest_frame->strand;
  --newest_frame;
  if (__builtin_expect(any_views, 0)) reduce_views_after(view_strand);
}

}  // namespace channels::races
