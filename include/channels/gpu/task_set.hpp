#pragma once

#include <algorithm>    // max
#include <type_traits>  // is_same_v

#include "channels/task.hpp"

namespace channels::gpu::detail {

/// `Set` with `Tasks` and all that they spawn, each once.
template <class Set, class... Tasks>
struct with_spawned {
  using type = Set;
};
template <class... Known, class First, class... Rest>
struct with_spawned<task_list<Known...>, First, Rest...> {
  template <class... Spawned>
  static auto add(task_list<Spawned...>) ->
      typename with_spawned<task_list<Known..., First>, Rest..., Spawned...>::type;
  static auto pick() {
    if constexpr ((std::is_same_v<First, Known> || ...)) {
      return typename with_spawned<task_list<Known...>, Rest...>::type{};
    } else {
      return decltype(add(typename First::spawns{})){};
    }
  }
  using type = decltype(pick());
};

/// All tasks that a call of `Root` may run, `Root` first.
template <task Root>
using tasks_of = typename with_spawned<task_list<>, Root>::type;

template <class Task>
concept says_if_frame_is_shared = requires {
  { Task::shares_frame } -> std::convertible_to<bool>;
};

template <class Result>
constexpr std::size_t bytes_of_result() {
  if constexpr (std::is_void_v<Result>) {
    return 0;
  } else {
    return sizeof(Result);
  }
}

template <class... Spawned>
constexpr bool results_are_whole_words(task_list<Spawned...> /*spawned*/) {
  return ((bytes_of_result<typename Spawned::result_type>() % 4 == 0) && ...);
}

/// Whether the frame of a `Task` has to be in memory that all lanes see: if children may be given
/// pointers into it, other than to their results, or if these are no whole words.
template <class Task>
inline constexpr bool shares_frame = [] {
  if constexpr (says_if_frame_is_shared<Task>) {
    return Task::shares_frame || !results_are_whole_words(typename Task::spawns{});
  } else {
    return true;
  }
}();

template <class Task>
concept says_if_leaves_are_quick = requires {
  { Task::quick_leaves } -> std::convertible_to<bool>;
};

/// Whether `enter` of a `Task` that spawns nothing is over so soon that it had better be run where
/// it is spawned than be put on a stack.
template <class Task>
inline constexpr bool quick_leaves = [] {
  if constexpr (says_if_leaves_are_quick<Task>) {
    return Task::quick_leaves;
  } else {
    return false;
  }
}();

/// How many children of a frame may wait on its lane's stack, unless room for more was reserved.
inline constexpr std::uint32_t most_waiting = 2;

constexpr std::uint32_t words(std::size_t bytes) {
  return static_cast<std::uint32_t>((bytes + 3) / 4);
}

/// What a lane's code needs to know of a set of tasks when it is compiled.
template <class Set>
struct task_set;
template <class... Tasks>
struct task_set<task_list<Tasks...>> {
  static constexpr std::uint32_t size = sizeof...(Tasks);
  static_assert(size <= 32, "a call may run 32 different tasks on a GPU");

  static constexpr std::uint32_t argument_words =
      std::max({std::uint32_t{1}, words(sizeof(typename Tasks::arguments))...});
  static constexpr std::uint32_t result_words =
      std::max({std::uint32_t{1}, words(bytes_of_result<typename Tasks::result_type>())...});
  static constexpr bool any_shared_frame = (shares_frame<Tasks> || ...);

  /// Words of the body of a child's record, and of a frame's.
  template <class Task>
  static constexpr std::uint32_t child_words =
      std::max(std::uint32_t{1}, words(sizeof(typename Task::arguments)));
  template <class Task>
  static constexpr std::uint32_t frame_words =
      shares_frame<Task> ? 0 : words(sizeof(typename Task::frame));

  /// The most words that a task has on the stack above its parent's children: its frame, and its
  /// own children; and that a child, its siblings and its parent's frame have.
  template <class Task>
  static constexpr std::uint32_t reach_of =
      frame_words<Task> + 3 +
      (argument_words + 3) *
          (Task::spawn_bound == unbounded ? most_waiting + 1 : Task::spawn_bound + 1);
  static constexpr std::uint32_t reach = std::max({std::uint32_t{32}, reach_of<Tasks>...});
  static_assert(reach <= 400,
                "a frame on a GPU and the arguments of its children have at most 1600 bytes");

  template <class Task>
  static constexpr std::uint32_t id = channels::detail::position<Task, task_list<Tasks...>>::value;

  /// Calls `function` with a null pointer to the task of that number, which says its type.
  template <class Function>
  static constexpr CHANNELS_DEVICE void with(std::uint32_t number, Function&& function) {
    if constexpr (size == 1) {
      (function(static_cast<Tasks*>(nullptr)), ...);
    } else {
      (void)((number == id<Tasks> && (function(static_cast<Tasks*>(nullptr)), true)) || ...);
    }
  }

  static const char* name(std::uint32_t number) {
    static constexpr const char* names[] = {Tasks::name...};
    return number < size ? names[number] : "?";
  }
};

}  // namespace channels::gpu::detail
