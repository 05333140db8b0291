#pragma once

#include <concepts>     // convertible_to
#include <type_traits>  // is_void_v

#include "channels/config.hpp"
#include "channels/detail/element.hpp"

/// A *task* is one Cilk function as a small state machine: what cilk2chan emits, and what a person
/// may write.
///
///     struct fib {
///       static constexpr const char* name = "fib";
///       using result_type = long;                        // or void
///       struct arguments { int n; };                     // trivially copyable
///       struct frame { long x, y; };                     // live variables and the children's results
///       using spawns = channels::task_list<fib>;         // whom it may spawn
///       static constexpr std::uint32_t spawn_bound = 2;  // most spawns before the next sync
///
///       template <class Lane>                            // the pre-spawn node (paper, section 5.2)
///       static channels::outcome enter(Lane& lane, const arguments& a) {
///         if (a.n < 2) return lane.finish(a.n);
///         frame* f = lane.template open<fib>(2);         // a frame and room for two children, or neither
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
/// Four more members help GPUs, and need not be there:
///
/// - `shares_frame` (true): whether children may be given pointers into the frame, other than to
///   their results.
/// - `results_in_frame` (false): whether the results of all children go into the frame. A frame of
///   which no child knows anything else, and whose spawns are bounded, is in registers and in the
///   memory of a work-group, if that holds for all tasks of a call.
/// - `quick_leaves` (false): whether a call that spawns nothing is over so soon that it is better run
///   where it is spawned than put on a stack. It counts as a task all the same. One that is not over
///   then is taken for one that spawns when it is entered later, so that must not change.
/// - `sums_up` (false): whether all that it does after its first sync is to add up its children's
///   results, each once, and something that does not depend on them; or nothing, if they have none. If that
///   holds for all tasks of a call, whose results are integers of one type, and the two above are
///   false and true, nobody waits for anybody: `resume` is called at once, as if all children
///   had returned 0. (Of one that spawns without a bound slots are not even written: where
///   `adds_results<Lane>`, the lane adds up what is in them, and the task must not.)
///
/// Two more are of tasks that sum up and spawn without a bound. Such a task yields behind each
/// child and waits like a child, as its point and its frame:
///
/// - `kept_frame` (all): so many bytes, the first ones, are all of its frame that it needs then.
/// - `most_at_once` (1): the most children that it makes sure of room for at once.
///
/// One more tells lanes what to expect:
///
/// - `allocates` (false): whether the task calls `allocate`.
///
/// The lane is the execution context; each device has its own, with the same member functions:
///
/// - `open<T...>(n...)`: only in `enter`, once. Takes the task's frame (uninitialised) and makes sure of room for
///   n spawns of each T. Null: return `retry()`, and nothing may have happened before, for `enter` is run
///   again later.
/// - `reserve<T...>(n...)`: in `resume`, makes sure of room for n more spawns. False: return `yield(point)`.
/// - `spawn<T>(slot, arguments)`, for a void result `spawn<T>(arguments)`: spawns. The result is in `*slot` after
///   the sync. False: no room, nothing happened; save what is live in the frame and return `yield(point)`.
///   Never false for what was reserved.
/// - `allocate(bytes)`: memory besides the frame, for `allocates` tasks that have their frame open: a `void*`, aligned to
///   16 bytes and uninitialised, that this task and its children may use until it finishes; then it goes
///   back by itself. Not null for 0 bytes. Null: no memory now, nothing happened; return `yield(point)`.
/// - `yield(point)`: gives up the lane; `resume` is called with `point` when there may be room.
/// - `sync(point)`: gives up the lane; `resume` is called with `point` when the children have finished.
/// - `finish(value)`, `finish()`: ends the task.
/// - `retry()`: see `open`.
/// - `level()`: the depth of the spawn tree, 0 at the root.
///
/// `enter` and `resume` return what the last of `finish`, `sync`, `yield`, `retry` returned, at
/// once. Frames do not move: children may be given pointers into them.
namespace channels {

/// How a lane's step ended.
enum class outcome : std::uint8_t {
  finished,   ///< the task is over
  suspended,  ///< waits for its children
  yielded,    ///< waits for room, in the middle
  retry,      ///< found no room before it did anything
};

/// The tasks that a task may spawn.
template <class... Tasks>
struct task_list {
  static constexpr std::uint32_t size = sizeof...(Tasks);
};

/// `spawn_bound` of a task that spawns in a loop.
inline constexpr std::uint32_t unbounded = ~std::uint32_t{0};

/// Whether `T`, a task, calls `lane.allocate`.
template <class T>
inline constexpr bool allocates = [] {
  if constexpr (requires {
                  { T::allocates } -> std::convertible_to<bool>;
                }) {
    return T::allocates;
  } else {
    return false;
  }
}();

/// Whether the results of the children of a task that `sums_up` are added up by this lane.
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

/// What every task has. Its nodes are templates, and so cannot be checked before a lane is there.
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

/// The place of `T` in a task list; as many as the list is long if it is not there.
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
