#pragma once

#include "channels/config.hpp"  // CHANNELS_CXX20
#if CHANNELS_CXX20

#include <concepts>     // convertible_to
#include <type_traits>  // is_void_v

#include "channels/detail/element.hpp"

/// A *task* is one Cilk function as a small state machine. cilk2chan emits tasks, and a person may
/// write them:
///
///     struct fib {
///       static constexpr const char* name = "fib";
///       using result_type = long;                        // or void
///       struct arguments { int n; };                     // trivially copyable
///       struct frame { long x, y; };                     // live variables, children's results
///       using spawns = channels::task_list<fib>;         // the tasks that it may spawn
///       static constexpr std::uint32_t spawn_bound = 2;  // most spawns before the next sync
///
///       template <class Lane>                            // the pre-spawn node (paper, 5.2)
///       static channels::outcome enter(Lane& lane, const arguments& a) {
///         if (a.n < 2) return lane.finish(a.n);
///         frame* f = lane.template open<fib>(2);         // a frame, and room for two children
///         if (f == nullptr) return lane.retry();
///         (void)lane.template spawn<fib>(&f->x, {a.n - 1});
///         (void)lane.template spawn<fib>(&f->y, {a.n - 2});
///         return lane.sync(1);
///       }
///       template <class Lane>                            // the post-spawn node
///       static channels::outcome resume(Lane& lane, frame& f, std::uint32_t point) {
///         return lane.finish(f.x + f.y);
///       }
///     };
///
/// - The lane is the execution context. Each device has its own; lane.hpp says what all of them
///   offer.
/// - `enter` and `resume` return what the last of `finish`, `sync`, `yield`, `retry` returned, at
///   once.
/// - Frames do not move: children may be given pointers into them.
/// - A task may have more members, which help GPUs most: see task_traits.hpp, and leaf.hpp for
///   leaves that the lanes of a wavefront run together.
namespace channels {

/// How a lane's step ended.
enum class outcome : std::uint8_t {
  finished,   ///< the task is over
  suspended,  ///< it waits for its children
  yielded,    ///< it waits for room, in the middle
  retry,      ///< it found no room before it did anything
};

/// The tasks that a task may spawn.
template <class... Tasks>
struct task_list {
  static constexpr std::uint32_t size = sizeof...(Tasks);
};

/// `spawn_bound` of a task that spawns in a loop.
inline constexpr std::uint32_t unbounded = ~std::uint32_t{0};

/// Whether `Lane` itself adds up the results of a task that `sums_up` and spawns without a bound.
/// Slots are not written then, and the task must not add up what is in them.
template <class Lane>
inline constexpr bool adds_results = [] {
  if constexpr (requires {
                  { Lane::adds_results } -> std::convertible_to<bool>;
                }) {
    return Lane::adds_results;
  } else {
    return false;
  }
}();

/// The members that every task has. Its nodes are templates, and cannot be checked before there is
/// a lane.
template <class T>
concept task =
    requires {
      { T::name } -> std::convertible_to<const char*>;
      typename T::result_type;
      typename T::arguments;
      typename T::frame;
      typename T::spawns;
      { T::spawn_bound } -> std::convertible_to<std::uint32_t>;
    } && element<typename T::arguments> && element<typename T::frame> &&
    (std::is_void_v<typename T::result_type> || element<typename T::result_type>);

namespace detail {

/// Bytes of a task's result; 0 if it has none.
template <class Result>
constexpr std::uint32_t bytes_of_result() {
  if constexpr (std::is_void_v<Result>) {
    return 0;
  } else {
    return sizeof(Result);
  }
}

/// The place of `T` in a task list; the list's length if it is not in it.
template <class T, class List>
struct position;
template <class T, class... Tasks>
struct position<T, task_list<Tasks...>> {
  static constexpr std::uint32_t value = [] {
    std::uint32_t i = 0;
    (void)((std::is_same_v<T, Tasks> || (++i, false)) || ...);
    return i;
  }();
};

}  // namespace detail

}  // namespace channels

#endif
