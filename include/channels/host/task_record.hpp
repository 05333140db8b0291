#pragma once

#include "channels/detail/batch.hpp"
#include "channels/host/compute_unit.hpp"
#include "channels/host/task_memory.hpp"
#include "channels/readiness.hpp"
#include "channels/task.hpp"

/// What a task's channels hold: elements of the pre-spawn node, frames, and the link from a child
/// to its parent.
namespace channels::host {

/// The counted rule's part of a frame, the same for all tasks, so that a child of any task can end
/// its parent's wait.
struct frame_head {
  using blocks = allocated_blocks;

  /// A value that no number of children brings to zero: on while the frame's own task runs.
  static constexpr std::int64_t running = std::int64_t{1} << 40U;

  std::int64_t join = running;  ///< children that have not finished, and `running`
  std::uint64_t ticket = 0;
  const bound_channel* home = nullptr;
  /// Runs the task's continuation. If the task finishes, returns the head of its parent, which has
  /// to be told; otherwise null.
  frame_head* (*resume)(compute_unit&, frame_head*) = nullptr;

  /// Notes that a child has finished. True if it is the last one and the task waits: the caller
  /// then runs the task.
  [[nodiscard]] CHANNELS_INLINE bool child_finished(compute_unit& cu) {
    if (cu.alone) return --join == 0;
    ++cu.counters.join_atomics;
    // Release: publishes the child's result. Acquire: the last child runs the parent, and has to
    // see the results of all others.
    return detail::atomic_fetch_add<detail::order::acq_rel>(&join, -1) == 1;
  }

  /// The task now waits, and has `spawned` more children. True if all have finished already: the
  /// task goes on.
  [[nodiscard]] CHANNELS_INLINE bool wait_for(compute_unit& cu, std::uint32_t spawned) {
    return add(cu, static_cast<std::int64_t>(spawned) - running) == 0;
  }
  /// Counts children of a task that does not wait yet.
  CHANNELS_INLINE void count(compute_unit& cu, std::uint32_t spawned) { (void)add(cu, spawned); }

 private:
  CHANNELS_INLINE std::int64_t add(compute_unit& cu, std::int64_t change) {
    if (cu.alone) return join += change;
    ++cu.counters.join_atomics;
    // Release and acquire for the reasons above: the parent may be the last to arrive.
    return detail::atomic_fetch_add<detail::order::acq_rel>(&join, change) + change;
  }
};

/// Where a task reports its end: the slot for its result and, for the counted rule, its parent.
/// `Head`: what frames of the counted rule begin with on the device.
template <readiness Rule, class Result, class Head = frame_head>
struct up_link {
  Result* slot = nullptr;
};
template <class Head>
struct up_link<readiness::levelized, void, Head> {};
template <class Result, class Head>
struct up_link<readiness::counted, Result, Head> {
  Result* slot = nullptr;
  Head* parent = nullptr;
};
template <class Head>
struct up_link<readiness::counted, void, Head> {
  Head* parent = nullptr;
};

// What may be empty is a base class, because nvcc 13 lays out arrays of types with
// [[no_unique_address]] members with a larger distance than `sizeof` says.

/// The element of a pre-spawn node.
template <task Task, readiness Rule, class Head = frame_head>
struct task_element : up_link<Rule, typename Task::result_type, Head> {
  using link = up_link<Rule, typename Task::result_type, Head>;

  typename Task::arguments arguments;

  [[nodiscard]] CHANNELS_DEVICE link& up() { return *this; }
  [[nodiscard]] CHANNELS_DEVICE const link& up() const { return *this; }
};

/// The element of a post-spawn node: a frame.
template <task Task, readiness Rule, class Head = frame_head>
struct frame_record : up_link<Rule, typename Task::result_type, Head>, blocks_of<Task, Head> {
  using link = up_link<Rule, typename Task::result_type, Head>;

  std::uint32_t point;
  typename Task::frame frame;

  [[nodiscard]] CHANNELS_DEVICE link& up() { return *this; }
  [[nodiscard]] CHANNELS_DEVICE blocks_of<Task, Head>& blocks() { return *this; }
};

/// What frames of the counted rule begin with.
template <class Head, class Link>
struct counted_record {
  Head head;
  Link link_up;
};
template <task Task, class Head>
struct frame_record<Task, readiness::counted, Head>
    : counted_record<Head, up_link<readiness::counted, typename Task::result_type, Head>>,
      blocks_of<Task, Head> {
  using link = up_link<readiness::counted, typename Task::result_type, Head>;
  using first_part = counted_record<Head, link>;

  std::uint32_t point;
  typename Task::frame frame;

  /// The record that `head` is part of.
  [[nodiscard]] CHANNELS_DEVICE static frame_record* of(Head* head) {
    return static_cast<frame_record*>(reinterpret_cast<first_part*>(head));
  }
  [[nodiscard]] CHANNELS_DEVICE link& up() { return this->link_up; }
  [[nodiscard]] CHANNELS_DEVICE blocks_of<Task, Head>& blocks() { return *this; }
};

}  // namespace channels::host
