#pragma once

#include "channels/detail/lane_base.hpp"
#include "channels/gpu/port/device_code.hpp"
#include "channels/gpu/scheduler/task_set.hpp"

namespace channels::gpu::detail {

/// The lane of a child that runs where it is spawned, in case it ends at once. If the child opens a
/// frame it gets none, and nothing has happened.
template <class Child>
class leaf_lane : public channels::detail::lane_base<leaf_lane<Child>, Child> {
  using base = channels::detail::lane_base<leaf_lane<Child>, Child>;
  friend base;

 public:
  /// The wavefront takes group leaves.
  static constexpr bool takes_leaves = true;
  using typename base::result_type;

  CHANNELS_GPU_INLINE leaf_lane(void* slot, std::uint32_t level) : slot_(slot), level_(level) {}

  template <class... Children, class... Counts>
  [[nodiscard]] CHANNELS_GPU_INLINE typename Child::frame* open(Counts...) {
    return nullptr;
  }
  template <class... Children, class... Counts>
  [[nodiscard]] CHANNELS_GPU_INLINE bool reserve(Counts...) {
    return false;
  }
  [[nodiscard]] CHANNELS_GPU_INLINE void* allocate(std::size_t) { return nullptr; }
  [[nodiscard]] CHANNELS_GPU_INLINE outcome sync(std::uint32_t) { return outcome::retry; }
  [[nodiscard]] CHANNELS_GPU_INLINE outcome yield(std::uint32_t) { return outcome::retry; }
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t level() const { return level_; }

 private:
  template <task Grandchild>
  [[nodiscard]] CHANNELS_GPU_INLINE bool add_child(typename Grandchild::result_type*,
                                                   const typename Grandchild::arguments&) {
    return false;
  }
  template <class Value>
  CHANNELS_GPU_INLINE void put_result(const Value& value) {
    *static_cast<result_type*>(slot_) = static_cast<result_type>(value);
  }

  void* slot_;
  std::uint32_t level_;
};

/// Runs a `Child` at `level` where it is spawned, if it has quick leaves. One lane calls it. False
/// if the child is not over; then nothing has happened.
template <class Child>
CHANNELS_GPU_INLINE bool runs_as_leaf(void* slot, std::uint32_t level,
                                      const typename Child::arguments& arguments) {
  if constexpr (task_traits<Child>::quick_leaves) {
    leaf_lane<Child> leaf(slot, level);
    return Child::enter(leaf, arguments) == outcome::finished;
  } else {
    return false;
  }
}

}  // namespace channels::gpu::detail
