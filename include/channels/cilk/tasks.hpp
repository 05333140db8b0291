#pragma once

#include <initializer_list>  // initializer_list
#include <type_traits>       // conditional_t, is_void_v

#include "channels/cilk/device_form.hpp"
#include "channels/cilk/loop_count.hpp"
#include "channels/cilk/placed_call.hpp"
#include "channels/cilk/program_order.hpp"
#include "channels/detail/call_code.hpp"
#include "channels/host/node_code.hpp"

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
  return __builtin_expect(order_of_program() != known_order::depth_first, 0) && decide_order();
}

/// The place of what is known of a function's calls.
template <task Task>
inline constinit call_site site_of{Task::name};

/// Calls a task as a function: through channels on the host, or on the device that the program's
/// settings name. `forms` are its code for devices. The arguments are at
/// `arguments`, and the result goes to `result`. Ends the program with a message if the run fails.
void invoke_task(const channels::detail::call_code& call, std::initializer_list<device_form> forms,
                 const void* arguments, void* result);

/// The type of `Task`'s result, or a byte if it has none.
template <task Task>
using result_of = std::conditional_t<std::is_void_v<typename Task::result_type>, char,
                                     typename Task::result_type>;

/// The code of `Task` for channels on the host.
template <task Task>
inline constexpr const channels::detail::call_code& code_for_host =
    channels::detail::code_of_call<Task, channels::detail::host_node_code>;

/// Calls `Task`'s code for the program's device. Ends the program with a message if that fails.
template <task Task>
typename Task::result_type call_form(const typename Task::arguments& arguments,
                                     std::initializer_list<device_form> forms) {
  result_of<Task> result{};
  call_on_device(forms, Task::name, &arguments, &result);
  if constexpr (!std::is_void_v<typename Task::result_type>) return result;
}

/// Calls `Task` by `invoke_task`.
template <task Task>
typename Task::result_type invoke(const typename Task::arguments& arguments,
                                  std::initializer_list<device_form> forms = {}) {
  result_of<Task> result{};
  invoke_task(code_for_host<Task>, forms, &arguments, &result);
  if constexpr (!std::is_void_v<typename Task::result_type>) return result;
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
