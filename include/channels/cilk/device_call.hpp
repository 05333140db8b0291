#pragma once

#include <cstdint>           // fixed-width integers
#include <initializer_list>  // initializer_list
#include <mutex>             // unique_lock

#include "channels/detail/call_progress.hpp"
#include "channels/error.hpp"
#include "channels/settings.hpp"

/// How a compiled Cilk program comes from the host's code to that of another device, which another
/// compiler made.
namespace channels {
class runtime;
}

namespace channels::cilk {

/// The runtime of a compiled Cilk program, made when the first task is called and set by the
/// `CHANNELS_*` variables. The one object of this library with a lifetime of its own: the functions
/// of a compiled program keep their signatures, so there is nobody to hand them a runtime. A
/// mistake in the settings ends the program with status 1 and a message, `CHANNELS_HELP` prints the
/// settings and ends it with status 0.
[[nodiscard]] runtime& program_runtime();

/// Adds the last run to the program's statistics, which are printed when it ends, if
/// `CHANNELS_STATS` asks for them.
void count_last_run();

/// A task's code for a device, as `CHANNELS_DEVICE` names that. `call` gets its arguments, and
/// where to put its result; a failure ends the program.
struct device_form {
  const char* device;
  void (*call)(const void* arguments, void* result);
};

/// The settings of a compiled program, from its environment. A mistake in them ends the program
/// with status 1 and a message; `CHANNELS_HELP` prints them and ends it with status 0.
[[nodiscard]] const settings& program_settings();

/// What a call does that fails: prints the message and ends the program with status 1. A C function
/// has no other way to say that it could not compute its result.
[[noreturn]] void fail(const error& e);

/// Held while a run goes on: a program has one runtime, and any of its threads may call a task.
[[nodiscard]] std::unique_lock<std::mutex> own_runtime();

/// Whether tasks are to run on another device than the host.
[[nodiscard]] inline bool on_device() { return program_settings().device != "host"; }

/// Calls the form for the program's device. Ends the program, with the task's name, if it has none.
void call_on_device(std::initializer_list<device_form> forms, const char* task,
                    const void* arguments, void* result);

/// What runs on a device did, for `CHANNELS_STATS`.
struct device_counts {
  std::uint64_t tasks = 0;
  std::uint64_t continuations = 0;
  std::uint64_t yields = 0;
  std::uint64_t gifts = 0;  ///< from a wavefront to another
  std::uint64_t given = 0;  ///< tasks in them
  double lanes_active = 0;  ///< 0 to 1
  std::uint32_t lanes = 0;
  std::uint64_t memory = 0;  ///< bytes of the device
};

/// Says that a part of the program has code for a device. Before `main`.
void has_code_for(const char* device);

/// Ends the program if it has no code for the device of its settings.
void check_device();

/// Adds to the program's statistics: how long a run took, in nanoseconds, and what `function`, an
/// address that tells it from others, has done so far.
void count_device_run(const void* function, const device_counts& so_far, std::uint64_t ns);

/// Around a call on a device that does not go through channels: the line that says how far it is,
/// if `CHANNELS_PROGRESS` asks for one. One at a time: the caller holds the runtime.
class shown_call {
 public:
  explicit shown_call(const char* task);
  shown_call(const shown_call&) = delete;
  shown_call& operator=(const shown_call&) = delete;
  ~shown_call();
};
/// Draws it.
void show_call(const call_progress& far);

/// Functions keep a device's memory from call to call. `drop` gives that of `function` back, which
/// is asked for when another finds too little; the caller holds the runtime.
void keep_device_memory(const void* function, void (*drop)());
/// Drops all but that of `function`. False if there was none.
bool drop_device_memory(const void* function);

}  // namespace channels::cilk
