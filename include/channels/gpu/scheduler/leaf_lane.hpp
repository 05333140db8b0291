#pragma once

#include "channels/gpu/port/vendor.hpp"
#include "channels/gpu/scheduler/task_set.hpp"

namespace channels::gpu::detail {

/// The lane of a child that is run where it is spawned, if it ends at once: one that wants a frame
/// gets none, and nothing has happened.
template <class Child>
class leaf_lane {
 public:
  /// Leaves for a group are their wavefront's.
  static constexpr bool takes_leaves = true;
  using result_type = typename Child::result_type;

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
  template <task Grandchild>
  [[nodiscard]] CHANNELS_GPU_INLINE bool spawn(typename Grandchild::result_type*,
                                               const typename Grandchild::arguments&)
    requires(!std::is_void_v<typename Grandchild::result_type>)
  {
    return false;
  }
  template <task Grandchild>
  [[nodiscard]] CHANNELS_GPU_INLINE bool spawn(const typename Grandchild::arguments&)
    requires(std::is_void_v<typename Grandchild::result_type>)
  {
    return false;
  }
  template <class Value>
  [[nodiscard]] CHANNELS_GPU_INLINE outcome finish(const Value& value) {
    *static_cast<result_type*>(slot_) = static_cast<result_type>(value);
    return outcome::finished;
  }
  [[nodiscard]] CHANNELS_GPU_INLINE outcome finish() { return outcome::finished; }
  [[nodiscard]] CHANNELS_GPU_INLINE outcome sync(std::uint32_t) { return outcome::retry; }
  [[nodiscard]] CHANNELS_GPU_INLINE outcome yield(std::uint32_t) { return outcome::retry; }
  [[nodiscard]] CHANNELS_GPU_INLINE outcome retry() { return outcome::retry; }
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t level() const { return level_; }

 private:
  void* slot_;
  std::uint32_t level_;
};

/// Runs a `Child` at `level` where it is spawned, if it is one that may be over at once. False if
/// it is not over, and nothing has happened.
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
