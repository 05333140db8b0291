#pragma once

/// The start of the vendor's library for a device, in units of the device's code, which other
/// compilers make.
extern "C" {

/// Starts it for the GPUs that the program's calls use. Returns whether there is one. It takes some
/// tenths of a second. Any thread may call it, and other functions of the library wait for it. One
/// for each kind of device; those that a program has no code for are null.
using channels_device_start = bool();
__attribute__((weak)) channels_device_start channels_start_cuda;
__attribute__((weak)) channels_device_start channels_start_hip;
__attribute__((weak)) channels_device_start channels_start_emulated;

/// The device of a program whose environment names none; null: the host. Objects have it that were
/// compiled for the host and for a GPU.
__attribute__((weak)) extern const char* const channels_usual_device;
}
