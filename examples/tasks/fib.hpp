#pragma once

#include "channels/task.hpp"
#include "channels/task_traits.hpp"

namespace tasks {

/// The n-th Fibonacci number, with a task for every call.
///
///     long fib(int n) {
///       if (n < 2) return n;
///       long x = cilk_spawn fib(n - 1);
///       long y = cilk_spawn fib(n - 2);
///       cilk_sync;
///       return x + y;
///     }
struct fib {
  static constexpr const char* name = "fib";
  using result_type = long;
  struct arguments {
    int n;
  };
  struct frame {
    long x;
    long y;
  };
  using spawns = channels::task_list<fib>;
  static constexpr std::uint32_t spawn_bound = 2;
  static constexpr bool shares_frame = false;
  static constexpr bool results_in_frame = true;
  static constexpr bool quick_leaves = true;
  static constexpr bool sums_up = true;
  static constexpr auto reach = channels::reach::host;

  template <class Lane>
  CHANNELS_DEVICE static channels::outcome enter(Lane& lane, const arguments& a) {
    if (a.n < 2) return lane.finish(a.n);
    frame* const f = lane.template open<fib>(2);
    if (f == nullptr) return lane.retry();
    (void)lane.template spawn<fib>(&f->x, {a.n - 1});
    (void)lane.template spawn<fib>(&f->y, {a.n - 2});
    return lane.sync(1);
  }

  template <class Lane>
  CHANNELS_DEVICE static channels::outcome resume(Lane& lane, frame& f, std::uint32_t /*point*/) {
    return lane.finish(f.x + f.y);
  }
};

/// The same as a plain recursion.
inline long serial_fib(int n) { return n < 2 ? n : serial_fib(n - 1) + serial_fib(n - 2); }

/// The same by a loop, to check answers with.
inline long fast_fib(int n) {
  long a = 0;
  long b = 1;
  for (int i = 0; i < n; ++i) {
    const long c = a + b;
    a = b;
    b = c;
  }
  return a;
}

/// The number of tasks of `fib` of n: the number of calls of the plain recursion.
inline std::uint64_t tasks_of_fib(int n) {
  return static_cast<std::uint64_t>(2 * fast_fib(n + 1) - 1);
}

}  // namespace tasks
