#pragma once

#include "channels/config.hpp"  // CHANNELS_CXX20
#if CHANNELS_CXX20

#include <concepts>     // same_as
#include <cstddef>      // size_t
#include <cstdint>      // fixed-width integers
#include <type_traits>  // is_void_v

#include "channels/task.hpp"
#include "channels/task_traits.hpp"

namespace channels {

namespace detail {

/// `spawn<Child>(slot, arguments)`, for a child without a result `spawn<Child>(arguments)`.
template <class Lane, class Child>
concept spawns_child = (std::is_void_v<typename Child::result_type> &&
                        requires(Lane& lane, const typename Child::arguments& arguments) {
                          { lane.template spawn<Child>(arguments) } -> std::same_as<bool>;
                        }) ||
                       requires(Lane& lane, typename Child::result_type* slot,
                                const typename Child::arguments& arguments) {
                         { lane.template spawn<Child>(slot, arguments) } -> std::same_as<bool>;
                       };

template <class Lane, class List>
inline constexpr bool spawns_all_of = false;
template <class Lane, class... Children>
inline constexpr bool spawns_all_of<Lane, task_list<Children...>> =
    (spawns_child<Lane, Children> && ...);

/// `finish(value)`, for a task without a result `finish()`.
template <class Lane, class Result>
concept finishes_with = (std::is_void_v<Result> && requires(Lane& lane) {
                          { lane.finish() } -> std::same_as<outcome>;
                        }) || requires(Lane& lane, const Result& value) {
  { lane.finish(value) } -> std::same_as<outcome>;
};

/// `allocate(bytes)`, if `Task` calls it.
template <class Lane, class Task>
concept allocates_for = !task_traits<Task>::allocates || requires(Lane& lane, std::size_t bytes) {
  { lane.allocate(bytes) } -> std::same_as<void*>;
};

}  // namespace detail

/// What the nodes of `Task` are given: the execution context of one task. Each device has lanes of
/// its own. Only the task that a lane runs calls these functions, and the lane is not valid after
/// the node returns. A lane of a GPU may be in registers, so its address must not be kept.
///
/// - `open<T...>(n...)`: only in `enter`, once. Returns the task's frame, uninitialised, and makes
///   sure of room for n spawns of each T. Null: no room. The task returns `retry()`, and must not
///   have done anything before, as `enter` is called again later.
/// - `reserve<T...>(n...)`: makes sure of room for n more spawns of each T in `resume`. False: no
///   room. The task returns `yield(point)`.
/// - `spawn<T>(slot, arguments)`, or `spawn<T>(arguments)` if T has no result: spawns a child of a
///   task in `Task::spawns`. Its result is in `*slot` after the sync. False: no room, and nothing
///   has happened. The task saves what is live in its frame and returns `yield(point)`. Never false
///   for what was reserved.
/// - `allocate(bytes)`: only for tasks that say `allocates`, with their frame open. Returns memory
///   besides the frame, aligned to 16 bytes and uninitialised, that this task and its children may
///   use until the task finishes; then it goes back by itself. Not null for 0 bytes. Null: no
///   memory now, and nothing has happened. The task returns `yield(point)`.
/// - `yield(point)`: gives up the lane. `resume` is called with `point` when there may be room.
/// - `sync(point)`: gives up the lane. `resume` is called with `point` when all children have
///   finished, and sees what they wrote.
/// - `finish(value)`, or `finish()` without a result: ends the task.
/// - `retry()`: see `open`.
/// - `level()`: depth in the tree of spawns, 0 at the root. Not for a task that `sums_up` on a GPU.
///
/// Errors (a recursion that is too deep for the memory, a bound that does not hold) are reported to
/// whoever waits for the run.
template <class Lane, class Task>
concept lane =
    task<Task> &&
    requires(Lane& lane, std::uint32_t point) {
      { lane.open() } -> std::same_as<typename Task::frame*>;
      { lane.template open<Task>(1) } -> std::same_as<typename Task::frame*>;
      { lane.reserve() } -> std::same_as<bool>;
      { lane.template reserve<Task>(1) } -> std::same_as<bool>;
      { lane.yield(point) } -> std::same_as<outcome>;
      { lane.sync(point) } -> std::same_as<outcome>;
      { lane.retry() } -> std::same_as<outcome>;
      { lane.level() } -> std::same_as<std::uint32_t>;
    } && detail::spawns_all_of<Lane, typename Task::spawns> &&
    detail::finishes_with<Lane, typename Task::result_type> && detail::allocates_for<Lane, Task>;

}  // namespace channels

#endif
