#pragma once

#include <algorithm>    // max, min
#include <type_traits>  // conditional_t, is_integral_v, is_same_v

#include "channels/gpu/tuning.hpp"
#include "channels/leaf.hpp"
#include "channels/task.hpp"
#include "channels/task_traits.hpp"

namespace channels::gpu {

/// Where ready tasks are kept until they run, and frames until their children have ended. Each kind
/// keeps more tasks than the one before; the last one keeps all.
enum class stacks : std::uint8_t {
  summing,       ///< no frames, and a ring of tasks for each lane: for tasks that only sum up
  lane_private,  ///< each lane has a stack of its own: for small frames that no other lane reads
  pooled,        ///< each work-group has one for all its lanes; frames are in the device's memory
};

}  // namespace channels::gpu

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

/// All tasks that a call of `Root` may run; `Root` is the first.
template <task Root>
using tasks_of = typename with_spawned<task_list<>, Root>::type;

/// The first result type of these tasks that is not void, if there is one.
template <class... Tasks>
struct first_result {
  using type = void;
};
template <class Task, class... Tasks>
struct first_result<Task, Tasks...> {
  using type =
      std::conditional_t<std::is_void_v<typename Task::result_type>,
                         typename first_result<Tasks...>::type, typename Task::result_type>;
};

constexpr std::uint32_t words(std::size_t bytes) {
  return static_cast<std::uint32_t>((bytes + 3) / 4);
}

/// What the scheduler's code knows of a set of tasks when it is compiled. `Simplest`: the first
/// kind of stacks that is considered.
template <class Set, stacks Simplest = stacks::summing>
struct task_set;
template <class... Tasks, stacks Simplest>
struct task_set<task_list<Tasks...>, Simplest> {
  static constexpr std::uint32_t size = sizeof...(Tasks);
  static_assert(size <= 32, "a call may run 32 different tasks on a GPU");

  static constexpr std::uint32_t result_words =
      std::max({std::uint32_t{1},
                words(channels::detail::bytes_of_result<typename Tasks::result_type>())...});
  static constexpr std::size_t frame_size = std::max({sizeof(typename Tasks::frame)...});
  static constexpr std::size_t frame_alignment = std::max({alignof(typename Tasks::frame)...});
  static_assert(frame_alignment <= 16, "a frame on a GPU is aligned to at most 16 bytes");

  static constexpr bool any_unbounded = ((Tasks::spawn_bound == unbounded) || ...);
  static constexpr bool any_allocates = (task_traits<Tasks>::allocates || ...);
  /// Whether there are group leaves, and the words of memory that they want.
  static constexpr bool any_group_leaves = (has_group_leaf<Tasks> || ...);
  static constexpr std::uint32_t leaf_words =
      (words(std::max({std::size_t{0}, task_traits<Tasks>::leaf_memory...})) + 3) / 4 * 4;

  /// Whether the host may take steps of a task, and of some task of the set (host_steps.hpp).
  static constexpr bool any_host_steps =
      (task_traits<Tasks>::serial_parts || ...) && !any_allocates &&
      std::max({std::uint32_t{0}, (Tasks::spawn_bound != unbounded ? Tasks::spawn_bound : 0)...}) <=
          host_step_tuning::most_spawns;
  /// Whether a frame may go there with the step.
  static constexpr bool frames_go_to_host =
      any_host_steps && (!task_traits<Tasks>::shares_frame && ...);
  template <class Task>
  static constexpr bool goes_to_host = any_host_steps && task_traits<Task>::serial_parts;

  /// Whether no task has to wait: all tasks sum up, in integers of one type, and no child knows of
  /// its parent.
  using result_type = typename first_result<Tasks...>::type;
  using first_value = std::conditional_t<std::is_void_v<result_type>, char, result_type>;
  static constexpr bool summing =
      Simplest == stacks::summing && !any_allocates && !any_group_leaves && !any_host_steps &&
      (std::is_void_v<result_type> ||
       (std::is_integral_v<result_type> && !std::is_same_v<result_type, bool> &&
        sizeof(first_value) <= sizeof(std::uint64_t))) &&
      ((task_traits<Tasks>::sums_up && !task_traits<Tasks>::shares_frame &&
        task_traits<Tasks>::results_in_frame &&
        task_traits<Tasks>::most_at_once <= stacks_tuning::most_summing_children &&
        words(sizeof(typename Tasks::arguments)) <= stacks_tuning::most_summing_words &&
        (Tasks::spawn_bound != unbounded ||
         words(task_traits<Tasks>::kept_frame) <= stacks_tuning::most_summing_words) &&
        (std::is_void_v<typename Tasks::result_type> ||
         std::is_same_v<typename Tasks::result_type, result_type>)) &&
       ...);

  /// How far each of the tasks may travel at least.
  static constexpr channels::reach least_reach = std::min({task_traits<Tasks>::reach...});

  static constexpr bool any_divides_leaf = (divides_leaf<Tasks> || ...);
  static constexpr bool any_single_lane_leaves = (has_single_lane_leaves<Tasks> || ...);

  /// Words of a ready task: arguments, with how a leaf is divided, or what is kept of a frame.
  static constexpr std::uint32_t argument_words =
      std::max({std::uint32_t{1},
                words(sizeof(typename Tasks::arguments)) + (divides_leaf<Tasks> ? 1U : 0U)...,
                (summing && Tasks::spawn_bound == unbounded ? words(task_traits<Tasks>::kept_frame)
                                                            : 0)...});
  /// Whether a ready task needs a word for its number and its point.
  static constexpr bool several_ways = size > 1 || any_unbounded;
  /// The most spawns before a sync, of tasks with a bound. For a task that sums up without one: the
  /// most before it yields, and one for the rest of the task itself.
  static constexpr std::uint32_t most_spawns =
      std::max({std::uint32_t{0}, (Tasks::spawn_bound != unbounded ? Tasks::spawn_bound
                                   : summing ? task_traits<Tasks>::most_at_once + 1
                                             : 0)...});
  static_assert(
      most_spawns <= 256,
      "a task on a GPU spawns at most 256 before a sync, or its spawn_bound is unbounded");

  /// Words of the arguments and of the frame of a task.
  template <class Task>
  static constexpr std::uint32_t child_words =
      std::max(std::uint32_t{1}, words(sizeof(typename Task::arguments)));
  template <class Task>
  static constexpr std::uint32_t frame_words = words(sizeof(typename Task::frame));

  /// The most words that a task puts on a lane-private stack: its frame and its children.
  template <class Task>
  static constexpr std::uint32_t reach_of =
      frame_words<Task> + 1 +
      (argument_words + 1) * (Task::spawn_bound == unbounded ? 0 : Task::spawn_bound);
  static constexpr std::uint32_t reach = std::max({reach_of<Tasks>...});

  /// Whether frames and children may be on a lane-private stack, in the memory of a work-group:
  /// there are no pointers into them except to results of whole words, and they are small.
  static constexpr bool lane_private =
      Simplest <= stacks::lane_private && !any_allocates && !any_group_leaves && !any_host_steps &&
      ((!task_traits<Tasks>::shares_frame && task_traits<Tasks>::results_in_frame &&
        Tasks::spawn_bound != unbounded &&
        channels::detail::bytes_of_result<typename Tasks::result_type>() % 4 == 0) &&
       ...) &&
      reach <= stacks_tuning::most_lane_private_words;

  template <class Task>
  static constexpr std::uint32_t id = channels::detail::position<Task, task_list<Tasks...>>::value;

  /// Calls `function` with a null pointer whose type is that of the task with that number.
  template <class Function>
  static constexpr CHANNELS_DEVICE void with(std::uint32_t number, Function&& function) {
    if constexpr (size == 1) {
      (function(static_cast<Tasks*>(nullptr)), ...);
    } else {
      (void)((number == id<Tasks> && (function(static_cast<Tasks*>(nullptr)), true)) || ...);
    }
  }

  /// Whether wavefronts share ready tasks by a channel (shared_tasks.hpp), and not by gifts.
  static constexpr bool shares_tasks =
      any_group_leaves || (!summing && !lane_private && (task_traits<Tasks>::uneven_leaves || ...));

  static constexpr stacks kept_in = summing        ? stacks::summing
                                    : lane_private ? stacks::lane_private
                                                   : stacks::pooled;

  static constexpr const char* names[] = {Tasks::name...};
};

}  // namespace channels::gpu::detail
