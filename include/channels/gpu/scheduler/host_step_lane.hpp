#pragma once

#include <sys/resource.h>  // getrusage

#include <algorithm>  // clamp
#include <chrono>     // steady_clock
#include <cstring>    // memcpy
#include <new>        // bad_alloc

#include "channels/detail/heap_abi.hpp"
#include "channels/detail/lane_base.hpp"
#include "channels/gpu/scheduler/host_steps.hpp"

namespace channels::gpu::detail {

/// The lane of a step that the host takes for a GPU. What it spawns goes into the step's slot.
/// The slot has room for all spawns before a sync, or for some of a task without a bound.
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
  [[nodiscard]] CHANNELS_LANE_INLINE frame_type* open(Counts... counts) {
    return reserve<Children...>(counts...) ? frame() : nullptr;
  }
  template <class... Children, class... Counts>
  [[nodiscard]] CHANNELS_LANE_INLINE bool reserve(Counts... counts) {
    if constexpr (Task::spawn_bound != unbounded) return true;
    const std::uint64_t wanted = (static_cast<std::uint64_t>(counts) + ... + 0U);
    denied_ = wanted > host_step<Set>::most_spawns - step_.children;
    return !denied_;
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
    step_.ended = o == outcome::finished             ? step_end::finished
                  : o == outcome::suspended          ? step_end::waits
                  : o == outcome::yielded && denied_ ? step_end::yields
                  : o == outcome::retry && denied_   ? step_end::refuses
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
    if constexpr (Task::spawn_bound == unbounded) {
      denied_ = step_.children == host_step<Set>::most_spawns;
      if (denied_) return false;
    }
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
  bool denied_ = false;  // room for spawns
};

/// Pages that have come to this thread, or had to be made for it.
inline long page_faults() {
  rusage used{};
  (void)getrusage(RUSAGE_THREAD, &used);
  return used.ru_minflt + used.ru_majflt;
}

/// Whether this thread takes a step: what the task allocates there is the program's own memory.
inline thread_local bool takes_host_step = false;

/// Takes the step in `slot`. A thread of the host calls it.
template <class Set>
void take_host_step(std::byte* slot) {
  auto& step = *reinterpret_cast<host_step<Set>*>(slot);
  takes_host_step = true;
  if (&channels_heap_beside_device != nullptr) channels_heap_beside_device(true);
  const long faults = page_faults();
  const auto start = std::chrono::steady_clock::now();
  try {
    Set::with(task_in(step.what), [&]<class Task>(Task*) {
      if constexpr (Set::template goes_to_host<Task>) host_step_lane<Set, Task>(step).run();
    });
  } catch (const std::bad_alloc&) {
    step.ended = step_end::no_memory;
  }
  const std::chrono::nanoseconds took = std::chrono::steady_clock::now() - start;
  const auto ns = [](std::int64_t time) {
    return static_cast<std::uint32_t>(std::clamp<std::int64_t>(time, 1, ~std::uint32_t{0}));
  };
  if (&channels_heap_beside_device != nullptr) channels_heap_beside_device(false);
  takes_host_step = false;
  step.ns = ns(took.count());
  step.work_ns = ns(took.count() - (page_faults() - faults) * host_step_tuning::page_ns);
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
