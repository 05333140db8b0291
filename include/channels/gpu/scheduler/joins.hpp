#pragma once

#include "channels/gpu/scheduler/lane_state.hpp"
#include "channels/gpu/tuning.hpp"

namespace channels::gpu::detail {

/// The joins of a wavefront: which frames may be resumed, and how frames learn that their children
/// have ended. All lanes of the wavefront call these functions together.
template <class Set>
class joins {
 public:
  /// Words of the work-group's memory for `width` lanes.
  static constexpr CHANNELS_DEVICE std::uint32_t words(unsigned width) {
    return (group_memory_tuning::resumable_rows + group_memory_tuning::ended_rows) * width;
  }

  /// `memory`: `words` words of the work-group's memory.
  CHANNELS_GPU_INLINE joins(lane_state<Set>& lane, std::uint32_t* memory)
      : lane_(lane),
        resumable_(memory),
        ended_(memory + group_memory_tuning::resumable_rows * wave_width) {}

  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t resumable() const { return resumable_count_; }
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t ended() const { return ended_count_; }

  /// Takes the `how_many` frames that became resumable last, one for each of the first lanes that
  /// want one. `no_frame` for the other lanes.
  CHANNELS_GPU_INLINE frame_index take(bool wants, std::uint32_t how_many) {
    const std::uint32_t rank = rank_in(ballot(wants));
    frame_index frame = no_frame;
    if (wants && rank < how_many) frame = resumable_[resumable_count_ - how_many + rank];
    resumable_count_ -= how_many;
    return frame;
  }

  /// The frame that became resumable last. There is one.
  [[nodiscard]] CHANNELS_GPU_INLINE frame_index last_resumable() const {
    return resumable_[resumable_count_ - 1];
  }
  CHANNELS_GPU_INLINE void drop_last_resumable() { --resumable_count_; }

  /// After a turn: frees frames and tells parents, as `lane_state` says. `is_busy`: the wavefront
  /// has much to do, so shared frames may wait for a while. True if the root has ended.
  CHANNELS_GPU_INLINE bool join(bool is_busy) {
    const frame_index parent = lane_.ended_below;
    const bool has_ended = parent != no_frame;
    const bool is_shared = (lane_.parent_joins & shared_frame) != 0;
    const lane_mask shared = ballot(has_ended && is_shared);
    if (has_ended && !is_shared) {
      // Relaxed: all children ran on this wavefront, whose lanes are in step after every turn.
      const std::uint32_t before =
          fetch_add<order::relaxed, scope::group>(&lane_.frames[parent].joins, ~std::uint32_t{0});
      if (before == 1) lane_.to_resume = parent;
    }
    add_resumable(lane_.to_resume);
    lane_.frames.give_back(lane_.free_frame != no_frame, lane_.free_frame);
    if (shared != 0) {
      if (has_ended && is_shared) ended_[ended_count_ + rank_in(shared)] = parent;
      ended_count_ += count(shared);
    }
    fence_in_wave();
    if (ended_count_ == 0) return false;
    const bool may_wait = is_busy && ended_count_ < wave_width &&
                          ++turns_ % turn_tuning::most_turns_before_joins != 0;
    return !may_wait && tell();
  }

 private:
  /// Tells shared frames that children have ended. It tells many at once, since its fences, of the
  /// device's scope, make the compute unit wait for all its writes and drop its cache. True if the
  /// root has ended.
  CHANNELS_GPU_INLINE bool tell() {
    const std::uint32_t telling = min(ended_count_, wave_width);
    ended_count_ -= telling;
    release_to_device();
    frame_index frame = no_frame;
    if (lane_index() < telling) {
      frame = ended_[ended_count_ + lane_index()];
      const std::uint32_t before =
          fetch_add<order_beside_fences>(&lane_.frames[frame].joins, ~std::uint32_t{0});
      if ((before & ~shared_frame) != 1) frame = no_frame;
    }
    if (ballot(frame != no_frame) == 0) return false;
    acquire_from_device();
    const bool is_root = frame == outermost_frame;
    if (ballot(is_root) != 0) {
      if (is_root) lane_.run.host->ended = 1;
      return true;
    }
    add_resumable(frame);
    fence_in_wave();
    return false;
  }

  CHANNELS_GPU_INLINE void add_resumable(frame_index frame) {
    const lane_mask who = ballot(frame != no_frame);
    if (frame != no_frame) resumable_[resumable_count_ + rank_in(who)] = frame;
    resumable_count_ += count(who);
  }

  lane_state<Set>& lane_;
  std::uint32_t* resumable_;
  std::uint32_t* ended_;  ///< shared frames, once for each child that has ended and was not told
  std::uint32_t resumable_count_ = 0;
  std::uint32_t ended_count_ = 0;
  std::uint32_t turns_ = 0;
};

}  // namespace channels::gpu::detail
