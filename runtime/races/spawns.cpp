// Spawns, syncs and loops of a program that looks for its races: all of them run at once, in serial
// order.

#include "runtime/races/views.hpp"

#include "channels/cilk/abi.h"
#include "runtime/races/detector.hpp"

namespace channels::races {
namespace {

std::uintptr_t number(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }

/// A child, from its begin to its end, also if an exception ends it.
class running_child {
 public:
  running_child(const void* frame, std::uintptr_t dead_stack, std::uintptr_t spawn, bool loop)
      : child_{0, 0, frame, dead_stack, spawn, loop} {
    child_.begin = the_detector.strands.begin_child();
  }
  running_child(const running_child&) = delete;
  running_child& operator=(const running_child&) = delete;
  ~running_child() {
    the_detector.strands.join_since(child_.begin);
    the_detector.strands.end_child(child_);
  }

 private:
  open_child child_;
};

/// What follows a child has views of its own, also if an exception ends the child.
class fresh_views {
 public:
  fresh_views() = default;
  fresh_views(const fresh_views&) = delete;
  fresh_views& operator=(const fresh_views&) = delete;
  ~fresh_views() { next_strand_views(); }
};

}  // namespace
}  // namespace channels::races

using namespace channels::races;

extern "C" {

void channels_races_child(channels_cilk_frame* frame, void (*run)(void*), void (*finish)(void*),
                          void* closure, std::size_t size, void* site) {
  if (!on) {
    run(closure);
    if (finish != nullptr) finish(closure);
    return;
  }
  begin_frame_views(frame);
  const fresh_views after_child;
  const auto here = number(__builtin_frame_address(0));
  const auto end = number(closure) + size;
  const running_child child(frame, end > here ? end : here, number(site), false);
  run(closure);
  if (finish == nullptr) return;
  // The parent adds the result at the sync, in the order of its children: a read before that is a
  // race, and two children's additions are not.
  const as_atomic addition;
  finish(closure);
}

void channels_cilk_join(channels_cilk_frame* frame) {
  if (!on) return;
  the_detector.strands.join(frame);
  join_views(frame);
}

void channels_cilk_for(std::uint64_t count, std::uint64_t /*grain*/,
                       void (*run)(void* closure, std::uint64_t begin, std::uint64_t end),
                       void* closure) {
  if (!on) {
    if (count != 0) run(closure, 0, count);
    return;
  }
  const std::uintptr_t site = number(__builtin_return_address(0));
  channels_cilk_frame frame{};
  struct joined {
    channels_cilk_frame* frame;
    ~joined() { channels_cilk_join(frame); }
  } const at_end{&frame};
  begin_frame_views(&frame);
  const auto here = number(__builtin_frame_address(0));
  std::uint64_t views_of_loop = 0;
  for (std::uint64_t i = 0; i != count; ++i) {
    const running_child child(&frame, here, site, true);
    run(closure, i, i + 1);
    next_iteration_views(views_of_loop);
  }
}

void channels_cilk_stays(const char* /*functions*/) {}
}
