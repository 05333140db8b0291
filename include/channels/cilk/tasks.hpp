#pragma once

#include <initializer_list>  // initializer_list
#include <new>               // bad_alloc
#include <type_traits>       // is_void_v

#include "channels/call.hpp"
#include "channels/cilk/device_call.hpp"
#include "channels/cilk/loop_count.hpp"
#include "channels/cilk/placed_call.hpp"
#include "channels/cilk/program_order.hpp"

/// Marks a function of the program whose definition is also in the file of its tasks, so that it
/// can be inlined there. Its address, and calls that are not inlined, refer to the program's
/// function.
#define CHANNELS_CILK_COPY extern inline __attribute__((gnu_inline))

/// Calls of tasks from compiled programs: code that cilk2chan emits includes this.
namespace channels::cilk {

/// Decides the order, also for a spawn in a constructor that runs before the program's start.
/// Returns whether this call runs as a task: it does not if this thread runs a task already.
[[nodiscard]] bool decide_order();

/// Whether a call of a function with both forms runs as a task: through channels, or on another
/// device. Entries ask at each call.
[[nodiscard]] inline bool as_task() {
  // Relaxed: only this value is read; locks of their own guard the settings.
  const known_order order = program_order.load(std::memory_order_relaxed);
  return __builtin_expect(order != known_order::depth_first, 0) && decide_order();
}

/// The place of what is known of a function's calls.
template <task Task>
inline constinit call_site site_of{Task::name};

/// Calls `Task`'s code for the program's device. Ends the program with a message if that fails.
template <task Task>
typename Task::result_type call_form(const typename Task::arguments& arguments,
                                     std::initializer_list<device_form> forms) {
  if constexpr (std::is_void_v<typename Task::result_type>) {
    call_on_device(forms, Task::name, &arguments, nullptr);
  } else {
    channels::detail::result_box<Task> result;
    call_on_device(forms, Task::name, &arguments, &result.value);
    return result.value;
  }
}

/// Calls `Task` as a function, through channels on the host, or on the device that the program's
/// settings name. `forms` are its code for devices. Ends the program with a message if the run
/// fails.
template <task Task>
typename Task::result_type invoke(const typename Task::arguments& arguments,
                                  std::initializer_list<device_form> forms = {}) {
  if (on_device()) return call_form<Task>(arguments, forms);
  try {
    const std::unique_lock<std::mutex> owned = own_runtime();
    runtime& on = program_runtime();
    if constexpr (std::is_void_v<typename Task::result_type>) {
      call<Task>(on, arguments);
    } else {
      return call<Task>(on, arguments);
    }
  } catch (const error& e) {
    fail(e);
  } catch (const std::bad_alloc&) {
    fail_for_memory(Task::name);
  }
}

/// The same for a call that may also run as host code: `host` calls that. `sizes`: the arguments
/// that are numbers.
template <task Task, class Host>
typename Task::result_type invoke(const typename Task::arguments& arguments,
                                  std::initializer_list<device_form> forms,
                                  std::initializer_list<double> sizes, Host host) {
  if (!on_either()) return invoke<Task>(arguments, forms);
  const placed_call its(site_of<Task>, forms, sizes);
  return its.on_device() ? call_form<Task>(arguments, forms) : host();
}

}  // namespace channels::cilk
