#pragma once

#include "channels/batch.hpp"
#include "channels/host/compute_unit.hpp"
#include "channels/settings.hpp"
#include "channels/task.hpp"

/// What a task's channels hold: the pre-spawn elements, the frames, and between a child and its
/// parent the link through which the result goes up.
namespace channels::host {

/// The counted rule's part of a frame, the same for all tasks, so that a child of any task can end
/// its parent's wait.
struct frame_head {
  /// A value that no number of children brings to zero: on while the frame's own task runs.
  static constexpr std::int64_t running = std::int64_t{1} << 40U;

  std::int64_t join = running;  ///< children that have not finished, and `running`
  std::uint64_t ticket = 0;
  const bound_channel* home = nullptr;
  /// Runs the continuation; returns the head of the parent to which it reported, if it finished.
  frame_head* (*resume)(compute_unit&, frame_head*) = nullptr;

  /// A child has finished. True for the last one, when the task waits: then the caller runs it.
  [[nodiscard]] CHANNELS_INLINE bool child_finished(compute_unit& cu) {
    if (cu.alone) return --join == 0;
    ++cu.counters.join_atomics;
    // Release: the result was stored before. Acquire: the last child, which goes on as the parent,
    // sees what all others stored.
    return detail::atomic_fetch_add<detail::order::acq_rel>(&join, -1) == 1;
  }

  /// The task waits for `spawned` children more. True if all have finished already: then it goes
  /// on.
  [[nodiscard]] CHANNELS_INLINE bool wait_for(compute_unit& cu, std::uint32_t spawned) {
    return add(cu, static_cast<std::int64_t>(spawned) - running) == 0;
  }
  /// Counts children of a task that does not wait yet.
  CHANNELS_INLINE void count(compute_unit& cu, std::uint32_t spawned) { (void)add(cu, spawned); }

 private:
  CHANNELS_INLINE std::int64_t add(compute_unit& cu, std::int64_t change) {
    if (cu.alone) return join += change;
    ++cu.counters.join_atomics;
    // Both for the reasons above: the parent may turn out to be the last.
    return detail::atomic_fetch_add<detail::order::acq_rel>(&join, change) + change;
  }
};

/// Where a task reports: the slot for its result, and, counted, whose child it is.
template <readiness Rule, class Result>
struct up_link {
  Result* slot = nullptr;
};
template <>
struct up_link<readiness::levelized, void> {};
template <class Result>
struct up_link<readiness::counted, Result> {
  Result* slot = nullptr;
  frame_head* parent = nullptr;
};
template <>
struct up_link<readiness::counted, void> {
  frame_head* parent = nullptr;
};

/// The CE of a pre-spawn node.
template <task Task, readiness Rule>
struct task_element {
  typename Task::arguments arguments;
  [[no_unique_address]] up_link<Rule, typename Task::result_type> up;
};

/// The CE of a post-spawn node.
template <task Task, readiness Rule>
struct frame_record {
  [[no_unique_address]] up_link<Rule, typename Task::result_type> up;
  std::uint32_t point;
  typename Task::frame frame;
};
template <task Task>
struct frame_record<Task, readiness::counted> {
  frame_head head;  // first, so that a pointer to it is a pointer to the record
  [[no_unique_address]] up_link<readiness::counted, typename Task::result_type> up;
  std::uint32_t point;
  typename Task::frame frame;
};

}  // namespace channels::host
