#pragma once

#include "channels/call.hpp"

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

/// Adds the last run to the program's statistics, which are printed when it ends, if
/// `CHANNELS_STATS` asks for them.
void count_last_run();

/// Calls `Task` as the function that it was.
template <task Task>
typename Task::result_type invoke(const typename Task::arguments& arguments) {
  try {
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
