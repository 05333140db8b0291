#pragma once

#include <atomic>            // atomic
#include <cstdint>           // uint8_t
#include <initializer_list>  // initializer_list

#include "channels/call.hpp"
#include "channels/cilk/device_call.hpp"
#include "channels/cilk/loop_count.hpp"

/// A function of the program that is in the file of its tasks, too, to be compiled into them. Its
/// address, and whatever is not compiled into a caller, is the program's own.
#define CHANNELS_CILK_COPY extern inline __attribute__((gnu_inline))

/// What code that cilk2chan emits includes.
namespace channels::cilk {

/// The order of the program's settings, as the first thing that it does; before that, not known. On
/// another device than the host tasks run in any case.
enum class known_order : std::uint8_t { unknown, depth_first, tasks };
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): one for each program
extern std::atomic<known_order> program_order;

/// Finds out the order of a program whose first spawn comes before its own start, in a constructor;
/// and whether this thread runs a task already, in which a call is an ordinary one.
[[nodiscard]] bool decide_order();

/// Whether a call of a function that has both forms is one of a task: through channels, or on
/// another device. Asked at each such call that does not come from host code of that kind itself.
[[nodiscard]] inline bool as_task() {
  // Relaxed: the settings are made before and read under locks of their own.
  const known_order order = program_order.load(std::memory_order_relaxed);
  return __builtin_expect(order != known_order::depth_first, 0) && decide_order();
}

/// Calls `Task` as the function that it was: where the program's settings say. `forms` are its code
/// for devices.
template <task Task>
typename Task::result_type invoke(const typename Task::arguments& arguments,
                                  std::initializer_list<device_form> forms = {}) {
  if (on_device()) {
    if constexpr (std::is_void_v<typename Task::result_type>) {
      return call_on_device(forms, Task::name, &arguments, nullptr);
    } else {
      channels::detail::result_box<Task> result;
      call_on_device(forms, Task::name, &arguments, &result.value);
      return result.value;
    }
  }
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
