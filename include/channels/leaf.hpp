#pragma once

#include "channels/config.hpp"  // CHANNELS_CXX20
#if CHANNELS_CXX20

#include <cstddef>      // size_t
#include <cstdint>      // fixed-width integers
#include <type_traits>  // is_void_v

#include "channels/task.hpp"

/// Group leaves: the lanes of a wavefront run them together. Such a leaf is, for example, a base
/// case that sorts or multiplies, for which one lane of a GPU alone takes a thousand times as long.
/// The recursion around it stays as it is. A task with such leaves has three members more:
///
///     static constexpr std::size_t leaf_memory = 4096;   // bytes that a leaf may use meanwhile
///     static bool is_leaf(const arguments& a);           // whether this call is one
///     template <class Group>                             // the leaf; returns the result
///     static result_type leaf(Group& group, const arguments& a);
///
/// and begins its `enter` with
///
///     if (is_leaf(a)) return channels::run_leaf<my_task>(lane, a);
///
/// On the host this line runs the leaf with a group of one lane, or `serial_leaf(a)` if the task
/// has that function. A GPU does not reach the line: the wavefront takes such a call from its lane.
/// Instead `enter` may run the leaf as a single lane does, if the task says so:
///
///     static constexpr bool single_lane_leaves = true;
///
/// Where short leaves abound, each lane then runs one, if that takes less time.
/// All of these functions but `serial_leaf` are CHANNELS_DEVICE.
///
/// A group offers:
///
/// - `rank()`: the number of this lane; `size()`: the number of lanes, a constant.
/// - `sync()`: all lanes call it together. What a lane wrote before it, all lanes see after it.
/// - `of_lane(value, rank)`: all lanes call it together. Returns the `value` of the lane with that
///   rank.
/// - `memory<T>()`: `leaf_memory` bytes that the lanes share, aligned to 16.
///
/// All lanes of the group have to reach each `sync` and `of_lane`, and have to return. The result
/// is what lane 0 returns.
///
/// A leaf without a result may be so large that one wavefront is too few. A task with the member
///
///     static constexpr bool divides_leaf = true;
///
/// finds how the leaf is divided in `group.division()`. Before the leaf has any effect, it may ask
/// there to be divided: then it returns at once, and is called again, by as many wavefronts as have
/// nothing else to do, each with a part of its own. Parts may run at the same time or one after the
/// other.
namespace channels {

/// How wavefronts share a group leaf.
struct leaf_division {
  std::uint32_t part = 0;    ///< that this wavefront runs
  std::uint32_t parts = 0;   ///< that there are; 0: nobody has asked yet
  std::uint32_t wanted = 0;  ///< how many the leaf has asked for; not 0: it has done nothing else

  /// Asks for `most` parts at most. All lanes call it together. True: the leaf has to return.
  [[nodiscard]] CHANNELS_DEVICE bool asks_for(std::uint64_t most) {
    constexpr std::uint32_t limit = 1024;
    if (parts != 0 || most < 2) return false;
    wanted = most < limit ? static_cast<std::uint32_t>(most) : limit;
    return true;
  }
};

/// Whether the task `T` has group leaves.
template <class T>
concept has_group_leaf = requires(const typename T::arguments& a) {
  { T::is_leaf(a) } -> std::convertible_to<bool>;
  { T::leaf_memory } -> std::convertible_to<std::size_t>;
};

/// Whether wavefronts may share a leaf of the task `T`.
template <class T>
concept divides_leaf = has_group_leaf<T> && std::is_void_v<typename T::result_type> &&
                       requires { requires T::divides_leaf; };

/// Whether a lane of a GPU may run a leaf of the task `T` alone: `enter` has the code for it.
template <class T>
concept has_single_lane_leaves =
    has_group_leaf<T> && !divides_leaf<T> && requires { requires T::single_lane_leaves; };

/// A group of one lane, on the host.
template <class Task>
class single_lane {
 public:
  [[nodiscard]] static constexpr CHANNELS_DEVICE std::uint32_t rank() { return 0; }
  [[nodiscard]] static constexpr CHANNELS_DEVICE std::uint32_t size() { return 1; }
  CHANNELS_DEVICE void sync() const {}
  template <class T>
  [[nodiscard]] CHANNELS_DEVICE T of_lane(T value, std::uint32_t /*rank*/) const {
    return value;
  }
  template <class T>
  [[nodiscard]] CHANNELS_DEVICE T* memory() {
    return reinterpret_cast<T*>(memory_);
  }
  [[nodiscard]] CHANNELS_DEVICE leaf_division& division() { return division_; }

 private:
  leaf_division division_{0, 1, 0};
  alignas(16) std::byte memory_[Task::leaf_memory == 0 ? 1 : Task::leaf_memory];
};

namespace detail {

CHANNELS_FOR_HOST_LANES
template <task Task>
CHANNELS_DEVICE typename Task::result_type run_leaf_alone(const typename Task::arguments& a) {
  if constexpr (requires { Task::serial_leaf(a); }) {
    return Task::serial_leaf(a);
  } else {
    single_lane<Task> group;
    return Task::leaf(group, a);
  }
}

}  // namespace detail

/// Runs a group leaf as part of `enter`. A `Lane` whose wavefront takes leaves before `enter` has
/// the member `takes_leaves`.
CHANNELS_FOR_HOST_LANES
template <task Task, class Lane>
CHANNELS_DEVICE outcome run_leaf(Lane& lane, const typename Task::arguments& a) {
  if constexpr (requires { Lane::takes_leaves; }) {
    return lane.retry();  // not reached
  } else if constexpr (std::is_void_v<typename Task::result_type>) {
    detail::run_leaf_alone<Task>(a);
    return lane.finish();
  } else {
    return lane.finish(detail::run_leaf_alone<Task>(a));
  }
}

}  // namespace channels

#endif
