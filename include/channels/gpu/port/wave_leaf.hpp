#pragma once

#include "channels/gpu/port/device_code.hpp"
#include "channels/leaf.hpp"

/// Group leaves on a GPU: all lanes of a wavefront run one together (channels/leaf.hpp).
namespace channels::gpu::detail {

/// The lanes of a wavefront.
class wave_group {
 public:
  CHANNELS_GPU_INLINE wave_group(std::byte* memory, leaf_division& division)
      : memory_(memory), division_(division) {}

  [[nodiscard]] CHANNELS_GPU_INLINE static std::uint32_t rank() { return lane_index(); }
  [[nodiscard]] static constexpr CHANNELS_DEVICE std::uint32_t size() { return wave_width; }
  CHANNELS_GPU_INLINE void sync() const { fence_in_wave(); }
  template <class T>
  [[nodiscard]] CHANNELS_GPU_INLINE T of_lane(T value, std::uint32_t rank) const {
    return detail::of_lane(value, rank);
  }
  template <class T>
  [[nodiscard]] CHANNELS_GPU_INLINE T* memory() const {
    return reinterpret_cast<T*>(memory_);
  }
  [[nodiscard]] CHANNELS_GPU_INLINE leaf_division& division() const { return division_; }

 private:
  std::byte* memory_;
  leaf_division& division_;
};

/// A lane's call of a group leaf: `Words` words of arguments, and where the result goes.
template <std::uint32_t Words>
struct shared_call {
  std::uint32_t arguments[Words];
  void* to;
};

/// The call of lane `from`, for all lanes. All lanes of the wavefront call it together.
template <std::uint32_t Words>
CHANNELS_GPU_INLINE shared_call<Words> call_of_lane(const std::uint32_t* arguments, void* to,
                                                    unsigned from) {
  shared_call<Words> c;
  CHANNELS_GPU_UNROLL
  for (std::uint32_t i = 0; i < Words; ++i) c.arguments[i] = of_lane(arguments[i], from);
  c.to = reinterpret_cast<void*>(of_lane(reinterpret_cast<std::uint64_t>(to), from));
  return c;
}

/// Runs a group leaf, or a part of one. All lanes of the wavefront call it together. `memory`: the
/// leaf's part of the work-group's memory.
template <class Task>
CHANNELS_GPU_INLINE void run_group_leaf(const std::uint32_t* words, void* to, std::byte* memory,
                                        leaf_division& division) {
  typename Task::arguments arguments;
  memcpy(static_cast<void*>(&arguments), words, sizeof arguments);
  wave_group group(memory, division);
  if constexpr (std::is_void_v<typename Task::result_type>) {
    Task::leaf(group, arguments);
  } else {
    const typename Task::result_type result = Task::leaf(group, arguments);
    if (lane_index() == 0) *static_cast<typename Task::result_type*>(to) = result;
  }
  // The next leaf uses the same memory, and another lane may read this leaf's result.
  group.sync();
}

}  // namespace channels::gpu::detail
