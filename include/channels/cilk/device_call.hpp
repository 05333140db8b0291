#pragma once

#include <cstdint>  // fixed-width integers
#include <mutex>    // unique_lock
#include <string>   // string
#include <vector>   // vector

#include "channels/cilk/device_form.hpp"
#include "channels/detail/call_progress.hpp"
#include "channels/error.hpp"
#include "channels/settings.hpp"

/// Calls from a compiled Cilk program's host code to its code for a device, which another compiler
/// made.
namespace channels {
class runtime;
}

namespace channels::cilk {

/// The runtime of a compiled Cilk program, made when the first task is called and set by the
/// `CHANNELS_*` variables. It is global, because the functions of a compiled program keep their
/// signatures and get no runtime. A mistake in the settings ends the program with status 1 and a
/// message; `CHANNELS_HELP` prints the settings and ends the program with status 0.
[[nodiscard]] runtime& program_runtime();

/// The settings of a compiled program, from its environment. A mistake in them ends the program
/// with status 1 and a message; `CHANNELS_HELP` prints them and ends it with status 0.
[[nodiscard]] const settings& program_settings();
/// Changes the number of units of the host with which tasks run; not of another device. Returns
/// false if tasks have run already. For cilk/cilk_api.h.
[[nodiscard]] bool set_program_units(std::uint32_t units);

/// Ends a call that failed: prints the message and ends the program with status 1. A C function has
/// no other way to report that it could not compute its result.
[[noreturn]] void fail(const error& e);

/// The same where the runtime itself found no memory. `what` wanted it.
[[noreturn]] void fail_for_memory(const char* what) noexcept;

/// Locks the program's runtime for one run: any thread of the program may call a task.
[[nodiscard]] std::unique_lock<std::mutex> own_runtime();

/// Whether tasks are to run on another device than the host, or may.
[[nodiscard]] inline bool on_device() { return program_settings().device != "host"; }
/// The name of the device for calls that do not run on the host. "" if the settings name none.
[[nodiscard]] const std::string& device_of_calls();

/// What one GPU of several did.
struct gpu_counts {
  int gpu = 0;
  std::uint64_t tasks = 0;
  std::uint64_t given = 0;  ///< tasks, to other GPUs
  std::uint64_t taken = 0;  ///< tasks, from other GPUs
};

/// Counts of runs on a device, for `CHANNELS_STATS`.
struct device_counts {
  std::uint64_t tasks = 0;
  std::uint64_t continuations = 0;
  std::uint64_t yields = 0;
  std::uint64_t gifts = 0;  ///< from one wavefront to another
  std::uint64_t given = 0;  ///< tasks in them
  double lanes_active = 0;  ///< 0 to 1
  std::uint32_t lanes = 0;
  std::uint64_t memory = 0;      ///< bytes of the device's memory
  std::uint64_t host_steps = 0;  ///< of tasks, that cores of the host took
  // If the program has several GPUs:
  std::vector<gpu_counts> gpus;  ///< those that took part
  std::string on_one_gpu;        ///< the function, and why it runs on one; "" if it runs on all
};

/// Notes that a part of the program has code for a device. Constructors call it, before `main`.
void has_code_for(const char* device);

/// Ends the program if it has no code for the device of its settings.
void check_device();

/// Adds a run to the program's statistics: its time in nanoseconds, and the counts of `function` so
/// far. `function` is an address that identifies the function.
void count_device_run(const void* function, const device_counts& so_far, std::uint64_t ns);

/// The progress line of a call on a device without channels, if `CHANNELS_PROGRESS` asks for one.
/// It lasts as long as the object. The caller holds the runtime, so there is one at a time.
class shown_call {
 public:
  explicit shown_call(const char* task);
  shown_call(const shown_call&) = delete;
  shown_call& operator=(const shown_call&) = delete;
  ~shown_call();
};
/// Draws the progress line.
void show_call(const call_progress& far);

/// Notes that `function` keeps device memory from call to call. `drop` frees it; it is called when
/// another function finds too little memory. The caller holds the runtime.
void keep_device_memory(const void* function, void (*drop)(const void* function));
/// Drops the memory of all functions but `function`. Returns whether there was any.
bool drop_device_memory(const void* function);

}  // namespace channels::cilk
