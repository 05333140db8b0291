#pragma once

#include "channels/task.hpp"

namespace tasks {

/// Counts to `length` with one level of recursion for each number: a program that needs only depth.
///
///     long chain(long length) {
///       if (length == 0) return 0;
///       long below = cilk_spawn chain(length - 1);
///       cilk_sync;
///       return below + 1;
///     }
struct chain {
  static constexpr const char* name = "chain";
  using result_type = long;
  struct arguments {
    long length;
  };
  struct frame {
    long below;
  };
  using spawns = channels::task_list<chain>;
  static constexpr std::uint32_t spawn_bound = 1;
  static constexpr bool shares_frame = false;
  static constexpr bool results_in_frame = true;

  template <class Lane>
  CHANNELS_DEVICE static channels::outcome enter(Lane& lane, const arguments& a) {
    if (a.length == 0) return lane.finish(0);
    frame* const f = lane.template open<chain>(1);
    if (f == nullptr) return lane.retry();
    (void)lane.template spawn<chain>(&f->below, {a.length - 1});
    return lane.sync(1);
  }

  template <class Lane>
  CHANNELS_DEVICE static channels::outcome resume(Lane& lane, frame& f, std::uint32_t /*point*/) {
    return lane.finish(f.below + 1);
  }
};

}  // namespace tasks
