#pragma once

#include <initializer_list>  // initializer_list

/// What the entries of a compiled program know of devices.
namespace channels::cilk {

/// A task's code for a device. `device` is its name in `CHANNELS_DEVICE`. `call` gets the task's
/// arguments and the place of its result; a failure ends the program. `suits`: whether the task is
/// expected to be fast there.
struct device_form {
  const char* device;
  void (*call)(const void* arguments, void* result);
  bool (*suits)();
};

/// Calls the form for the program's device. Ends the program, with the task's name, if it has none.
void call_on_device(std::initializer_list<device_form> forms, const char* task,
                    const void* arguments, void* result);

/// The value of `CHANNELS_DEVICE` by which each call runs on the host or on a device.
inline constexpr const char* either_device = "auto";

/// Whether each call of a task may run on the host or on a device.
[[nodiscard]] bool on_either();

}  // namespace channels::cilk
