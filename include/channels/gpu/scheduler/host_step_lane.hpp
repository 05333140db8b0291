#pragma once

#include <algorithm>  // clamp
#include <chrono>     // steady_clock
#include <cstring>    // memcpy

#include "channels/detail/lane_base.hpp"
#include "channels/gpu/scheduler/host_steps.hpp"

namespace channels::gpu::detail {

/// The lane of a step that the host takes for a GPU. What it spawns goes into the step's slot.
/// Nothing is denied: the slot has room for all spawns before a sync, and the frame is there.
template <class Set, task Task>
class host_step_lane
    : public channels::detail::lane_base_with_point<host_step_lane<Set, Task>, Task> {
  using base = channels::detail::lane_base_with_point<host_step_lane<Set, Task>, Task>;
  friend channels::detail::lane_base<host_step_lane<Set, Task>, Task>;

 public:
  using typename base::frame_type;
  using typename base::result_type;

  CHANNELS_LANE_INLINE explicit host_step_lane(host_step<Set>& step) : step_(step) {
    point_ = step.point;
  }

  template <class... Children, class... Counts>
  [[nodiscard]] CHANNELS_LANE_INLINE frame_type* open(Counts...) {
    return frame();
  }
  template <class... Children, class... Counts>
  [[nodiscard]] CHANNELS_LANE_INLINE bool reserve(Counts...) {
    return true;
  }
  /// No task of such a set allocates.
  [[nodiscard]] CHANNELS_LANE_INLINE void* allocate(std::size_t) { return nullptr; }
  [[nodiscard]] CHANNELS_LANE_INLINE std::uint32_t level() const { return level_in(step_.what); }

  /// Runs the task until it ends, or waits for children.
  void run() {
    step_.children = 0;
    outcome o{};
    if (step_.resumes != 0) {
      o = Task::resume(*this, *frame(), point_);
    } else {
      typename Task::arguments arguments;
      std::memcpy(static_cast<void*>(&arguments), step_.arguments, sizeof arguments);
      o = Task::enter(*this, arguments);
    }
    while (o == outcome::suspended && step_.children == 0)
      o = Task::resume(*this, *frame(), point_);
    step_.ended = o == outcome::finished    ? step_end::finished
                  : o == outcome::suspended ? step_end::waits
                                            : step_end::denied;
    step_.point = point_;
  }

 private:
  [[nodiscard]] CHANNELS_LANE_INLINE frame_type* frame() const {
    if constexpr (Set::frames_go_to_host) {
      return reinterpret_cast<frame_type*>(step_.body);
    } else {
      return place();
    }
  }
  /// Where the frame will be when lanes have it.
  [[nodiscard]] CHANNELS_LANE_INLINE frame_type* place() const {
    return body_of<frame_type>(*step_.frame);
  }

  template <task Child>
  [[nodiscard]] CHANNELS_LANE_INLINE bool add_child(typename Child::result_type* slot,
                                                    const typename Child::arguments& arguments) {
    typename host_step<Set>::child& one = step_.spawned[step_.children++];
    one.what = Set::template id<Child> | (level() + 1) << task_bits;
    one.to = place_in(slot, frame(), place());
    memcpy(one.arguments, &arguments, sizeof arguments);
    return true;
  }
  template <class Value>
  CHANNELS_LANE_INLINE void put_result(const Value& value) {
    const auto result = static_cast<result_type>(value);
    memcpy(step_.result, &result, sizeof result);
  }

  using base::point_;
  host_step<Set>& step_;
};

/// Takes the step in `slot`. A thread of the host calls it.
template <class Set>
void take_host_step(std::byte* slot) {
  auto& step = *reinterpret_cast<host_step<Set>*>(slot);
  const auto start = std::chrono::steady_clock::now();
  Set::with(task_in(step.what), [&]<class Task>(Task*) {
    if constexpr (Set::template goes_to_host<Task>) host_step_lane<Set, Task>(step).run();
  });
  const std::chrono::nanoseconds took = std::chrono::steady_clock::now() - start;
  step.ns =
      static_cast<std::uint32_t>(std::clamp<std::int64_t>(took.count(), 1, ~std::uint32_t{0}));
}

template <class Set>
constexpr auto host_step_of() -> void (*)(std::byte*) {
  if constexpr (Set::any_host_steps) {
    return &take_host_step<Set>;
  } else {
    return nullptr;
  }
}

}  // namespace channels::gpu::detail
