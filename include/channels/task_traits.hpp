#pragma once

#include "channels/config.hpp"  // CHANNELS_CXX20
#if CHANNELS_CXX20

#include <concepts>  // convertible_to
#include <cstddef>   // size_t
#include <cstdint>   // uint8_t

#include "channels/task.hpp"

namespace channels {

/// How far a task may travel from where it was spawned. `device`: nowhere. `host`: to other GPUs of
/// the same process. `world`: to other hosts, too.
enum class reach : std::uint8_t { device, host, world };

/// The member `name` of `T`, or `usual` if `T` has none. A macro, as a name is no argument of a
/// template; for this file alone.
#define CHANNELS_MEMBER_OR(name, usual)                                  \
  [] {                                                                   \
    if constexpr (requires {                                             \
                    { T::name } -> std::convertible_to<decltype(usual)>; \
                  }) {                                                   \
      return decltype(usual)(T::name);                                   \
    } else {                                                             \
      return usual;                                                      \
    }                                                                    \
  }()

/// The optional members of the task `T`, or their defaults. All code reads them here. They are
/// promises that `T` makes: one that does not hold makes wrong answers.
template <task T>
struct task_traits {
  /// Whether the task calls `lane.allocate`. Default: false.
  static constexpr bool allocates = CHANNELS_MEMBER_OR(allocates, false);

  /// Whether children may be given pointers into the frame, other than to their results.
  /// Default: true.
  static constexpr bool shares_frame = CHANNELS_MEMBER_OR(shares_frame, true);

  /// Whether the results of all children go into the frame. Default: false. If a frame is not
  /// shared besides, and spawns are bounded, for all tasks of a call, a GPU keeps frames in
  /// registers and in the memory of a work-group.
  static constexpr bool results_in_frame = CHANNELS_MEMBER_OR(results_in_frame, false);

  /// Whether a call that spawns nothing is over so soon that a GPU had better run it where it is
  /// spawned than put it on a stack. It counts as a task all the same. Default: false.
  static constexpr bool quick_leaves = CHANNELS_MEMBER_OR(quick_leaves, false);

  /// Whether memory decides, and not the arguments alone, if a call with quick leaves spawns
  /// nothing. Default: false; then a call that was not over where it was spawned is taken for one
  /// that spawns when it is entered later.
  static constexpr bool leaf_test_reads_memory = CHANNELS_MEMBER_OR(leaf_test_reads_memory, false);

  /// Whether calls that spawn nothing may take long, and very different times. A GPU gives them to
  /// other wavefronts rather than to more lanes of one, where each waits for the longest.
  /// Default: false.
  static constexpr bool uneven_leaves = CHANNELS_MEMBER_OR(uneven_leaves, false);

  /// Whether the task itself, between its spawns, may take long, and serially: it partitions what
  /// its children sort, or merges what they have sorted. A GPU then gives steps that take long to
  /// cores of the host, if there is code for them: all that the task uses is memory that the host
  /// reaches, too. Default: false.
  static constexpr bool serial_parts = CHANNELS_MEMBER_OR(serial_parts, false);

  /// Whether the task, after its first sync, only adds up its children's results, each once, and
  /// something that does not depend on them; or does nothing, if they have none. Default: false. If
  /// it holds for all tasks of a call, whose results are integers of one type, and `shares_frame`
  /// is false and `results_in_frame` true, nothing waits on a GPU: `resume` is called at once, as
  /// if all children had returned 0. See also `adds_results`.
  static constexpr bool sums_up = CHANNELS_MEMBER_OR(sums_up, false);

  /// For a task that sums up and spawns without a bound: the bytes at the start of its frame that
  /// it needs to go on. Such a task yields behind each child and waits like a child, as its point
  /// and these bytes. Default: all of the frame.
  static constexpr std::size_t kept_frame =
      CHANNELS_MEMBER_OR(kept_frame, sizeof(typename T::frame));

  /// For the same tasks: the most children that the task makes sure of room for at once.
  /// Default: 1. For tasks with a bound it is the bound.
  static constexpr std::uint32_t most_at_once =
      T::spawn_bound != unbounded ? std::uint32_t{T::spawn_bound}
                                  : CHANNELS_MEMBER_OR(most_at_once, std::uint32_t{1});

  /// How far the task may travel. Default: `reach::device`. `reach::host` promises that all GPUs of
  /// the process reach what its arguments point to and all else that it uses, such as managed
  /// memory, at the same addresses; so it uses no variable of the device, of which each GPU has its
  /// own. What it changes by atomics, it changes by those of the system's scope.
  static constexpr channels::reach reach = CHANNELS_MEMBER_OR(reach, channels::reach::device);

  /// Bytes that a group leaf (leaf.hpp) may use. Default: 0.
  static constexpr std::size_t leaf_memory = CHANNELS_MEMBER_OR(leaf_memory, std::size_t{0});

  /// Not a member of `T`: the children of each kind for which an aggregator keeps room when it
  /// dispatches the task. It is the bound, or 4 without one: a start, as such a task yields when
  /// there is no more.
  static constexpr std::uint32_t expected_spawns =
      T::spawn_bound == unbounded ? 4 : std::uint32_t{T::spawn_bound};
};

#undef CHANNELS_MEMBER_OR

}  // namespace channels

#endif
