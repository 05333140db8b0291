#pragma once

#include "channels/gpu/scheduler/run_control.hpp"
#include "channels/gpu/scheduler/task_set.hpp"
#include "channels/gpu/tuning.hpp"

namespace channels::gpu::detail {

/// A frame's place: the number of units of the pool before it.
using frame_index = std::uint32_t;
inline constexpr frame_index no_frame = ~std::uint32_t{0};

/// The header of every frame of the pooled kind. The task's own variables follow.
struct alignas(16) frame_header {
  /// The number of children that have not ended, and `shared_frame`. While the frame is not shared,
  /// only the wavefront that opened it uses it.
  std::uint32_t joins;
  std::uint32_t what;   ///< the task, and its level
  frame_index parent;   ///< whose joins the end of this task lowers
  std::uint32_t point;  ///< where the task goes on, and `keeps_going`
  void* to;             ///< its result
};

/// In `joins`: a descendant was given to another wavefront, which may end it at any time. Then the
/// flag is in the joins of all frames above, too.
inline constexpr std::uint32_t shared_frame = std::uint32_t{1} << 31U;
/// In `point`: the task yielded in the middle of its spawns, and counts as one of its own joins.
inline constexpr std::uint32_t keeps_going = std::uint32_t{1} << 31U;

/// A task and its level in one word.
constexpr CHANNELS_DEVICE std::uint32_t task_in(std::uint32_t what) {
  return what & ((1U << task_bits) - 1);
}
constexpr CHANNELS_DEVICE std::uint32_t level_in(std::uint32_t what) { return what >> task_bits; }

/// The frame of a parent of the root. It is in the pool's first units.
inline constexpr frame_index outermost_frame = 0;

/// Set in the index of a frame that is in the host's memory (host_steps.hpp).
inline constexpr frame_index host_frame = frame_index{1} << 31U;
CHANNELS_GPU_INLINE bool is_host_frame(frame_index frame) {
  return (frame & host_frame) != 0 && frame != no_frame;
}

/// Bytes from a frame's header to its variables.
constexpr std::size_t body_offset_for(std::size_t alignment) {
  return alignment > 8 ? sizeof(frame_header) : offsetof(frame_header, to) + sizeof(void*);
}
template <class Frame>
inline constexpr std::size_t body_offset = body_offset_for(alignof(Frame));

/// The variables of a frame.
template <class Frame>
CHANNELS_INLINE CHANNELS_DEVICE Frame* body_of(frame_header& header) {
  return reinterpret_cast<Frame*>(reinterpret_cast<std::byte*>(&header) + body_offset<Frame>);
}

/// Where `slot` will be when the variables at `from`, of which it may be one, are at `to`.
template <class Frame>
CHANNELS_INLINE CHANNELS_DEVICE void* place_in(void* slot, const Frame* from, Frame* to) {
  const std::ptrdiff_t within =
      static_cast<const std::byte*>(slot) - reinterpret_cast<const std::byte*>(from);
  const bool is_inside =
      slot != nullptr && within >= 0 && within < static_cast<std::ptrdiff_t>(sizeof(Frame));
  return is_inside ? reinterpret_cast<std::byte*>(to) + within : slot;
}

/// Bytes from a frame's header to the list of its heap blocks, if its task allocates.
template <class Frame>
inline constexpr std::size_t blocks_offset =
    (body_offset<Frame> + sizeof(Frame) + sizeof(void*) - 1) / sizeof(void*) * sizeof(void*);

/// Units of the pool that a frame of any task of the set needs.
template <class Set>
inline constexpr std::uint32_t frame_units =
    static_cast<std::uint32_t>((body_offset_for(Set::frame_alignment) + Set::frame_size +
                                (Set::any_allocates ? 2 * sizeof(void*) : 0) + unit_bytes - 1) /
                               unit_bytes);

/// The free frames of a wavefront: in the memory of its work-group, and what does not fit there in
/// lists, one for each lane. All lanes of the wavefront call these functions together.
template <class Set>
class frame_store {
 public:
  /// Words of the work-group's memory.
  static constexpr CHANNELS_DEVICE std::uint32_t words(unsigned width) {
    return group_memory_tuning::free_frame_rows * width;
  }

  CHANNELS_GPU_INLINE frame_store(const run_parameters<Set>& run, std::uint32_t* memory)
      : run_(run), free_(memory) {}

  [[nodiscard]] CHANNELS_GPU_INLINE frame_header& operator[](frame_index i) const {
    if constexpr (Set::any_host_steps) {
      if ((i & host_frame) != 0)
        return *reinterpret_cast<frame_header*>(run_.host_steps.frames +
                                                std::size_t{i & ~host_frame} * unit_bytes);
    }
    return *reinterpret_cast<frame_header*>(run_.pool + std::size_t{i} * unit_bytes);
  }

  /// Makes sure that there is a free frame for every lane. False if there is no memory for them.
  CHANNELS_GPU_INLINE bool provide() {
    if (count_ >= wave_width) return true;
    const lane_mask have = ballot(spare_ != no_frame);
    if (have != 0) {
      if (spare_ != no_frame) {
        free_[count_ + rank_in(have)] = spare_;
        spare_ = (*this)[spare_].joins;
      }
      count_ += count(have);
    }
    if (count_ < wave_width) {
      const std::uint32_t first_unit = take_units(run_, wave_width * frame_units<Set>);
      if (first_unit == no_unit) {
        fence_in_wave();
        return false;
      }
      free_[count_ + lane_index()] = first_unit + lane_index() * frame_units<Set>;
      count_ += wave_width;
    }
    fence_in_wave();
    return true;
  }
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t available() const { return count_; }

  /// Takes a frame for each lane that wants one. `provide` has made sure of them.
  CHANNELS_GPU_INLINE frame_index take(bool wants) {
    const lane_mask who = ballot(wants);
    const frame_index taken = wants ? free_[count_ - 1 - rank_in(who)] : no_frame;
    count_ -= count(who);
    return taken;
  }

  /// Frees a frame of each lane that gives one back. Other lanes may take it after the wavefront's
  /// next fence.
  CHANNELS_GPU_INLINE void give_back(bool gives, frame_index frame) {
    const lane_mask who = ballot(gives);
    if (gives) free_[count_ + rank_in(who)] = frame;
    count_ += count(who);
    if (count_ > 2 * wave_width) {
      fence_in_wave();
      count_ -= wave_width;
      const frame_index far = free_[count_ + lane_index()];
      (*this)[far].joins = spare_;
      spare_ = far;
    }
  }

 private:
  const run_parameters<Set>& run_;
  std::uint32_t* free_;
  std::uint32_t count_ = 0;
  frame_index spare_ = no_frame;  ///< this lane's list of free frames, linked through `joins`
};

}  // namespace channels::gpu::detail
