#pragma once

#include <atomic>   // atomic
#include <cstdint>  // uint8_t
#include <mutex>    // unique_lock

#include "channels/call.hpp"

/// A function of the program that is in the file of its tasks, too, to be compiled into them. Its
/// address, and whatever is not compiled into a caller, is the program's own; on devices it is all
/// that there is.
#if defined(__CUDACC__) || defined(__HIP__)
#define CHANNELS_CILK_COPY CHANNELS_DEVICE inline
#else
#define CHANNELS_CILK_COPY extern inline __attribute__((gnu_inline))
#endif

/// What code that cilk2chan emits includes.
namespace channels::cilk {

/// The runtime of a compiled Cilk program, made when the first task is called and set by the
/// `CHANNELS_*` variables. The one object of this library with a lifetime of its own: the functions
/// of a compiled program keep their signatures, so there is nobody to hand them a runtime. A
/// mistake in the settings ends the program with status 1 and a message, `CHANNELS_HELP` prints the
/// settings and ends it with status 0.
[[nodiscard]] runtime& program_runtime();

/// What `invoke` does when a run fails: prints the message and ends the program with status 1. A C
/// function has no other way to say that it could not compute its result.
[[noreturn]] void fail(const error& e);

/// The order of the program's settings, as the first thing that it does; before that, not known.
enum class known_order : std::uint8_t { unknown, depth_first, channels };
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): one for each program
extern std::atomic<known_order> program_order;

/// Finds out the order of a program whose first spawn comes before its own start, in a constructor;
/// and whether this thread runs a task already, in which a call is an ordinary one.
[[nodiscard]] bool decide_order();

/// Whether a call of a function that has both forms goes through channels. Asked at each such call
/// that does not come from host code of that kind itself.
[[nodiscard]] inline bool through_channels() {
  // Relaxed: the settings are made before and read under locks of their own.
  const known_order order = program_order.load(std::memory_order_relaxed);
  return __builtin_expect(order != known_order::depth_first, 0) && decide_order();
}

/// Adds the last run to the program's statistics, which are printed when it ends, if
/// `CHANNELS_STATS` asks for them.
void count_last_run();

/// Held while a run goes on: a program has one runtime, and any of its threads may call a task.
[[nodiscard]] std::unique_lock<std::mutex> own_runtime();

/// Calls `Task` as the function that it was.
template <task Task>
typename Task::result_type invoke(const typename Task::arguments& arguments) {
  try {
    const std::unique_lock<std::mutex> owned = own_runtime();
    runtime& on = program_runtime();
    if constexpr (std::is_void_v<typename Task::result_type>) {
      call<Task>(on, arguments);
      count_last_run();
    } else {
      auto result = call<Task>(on, arguments);
      count_last_run();
      return result;
    }
  } catch (const error& e) {
    fail(e);
  }
}

}  // namespace channels::cilk
