#pragma once

// What the library throws with in code for both. nvcc leaves such calls out; Clang wants functions
// of the device, which end the run.

#pragma GCC system_header

#include_next <bits/functexcept.h>

#define CHANNELS_HIP_ENDS(name, parameters) \
  [[noreturn]] __attribute__((device)) inline void name parameters { __builtin_trap(); }

// NOLINTNEXTLINE(cert-dcl58-cpp)
namespace std {
CHANNELS_HIP_ENDS(__throw_bad_alloc, ())
CHANNELS_HIP_ENDS(__throw_bad_array_new_length, ())
CHANNELS_HIP_ENDS(__throw_bad_function_call, ())
CHANNELS_HIP_ENDS(__throw_invalid_argument, (const char*))
CHANNELS_HIP_ENDS(__throw_length_error, (const char*))
CHANNELS_HIP_ENDS(__throw_logic_error, (const char*))
CHANNELS_HIP_ENDS(__throw_out_of_range, (const char*))
CHANNELS_HIP_ENDS(__throw_out_of_range_fmt, (const char*, ...))
}  // namespace std

#undef CHANNELS_HIP_ENDS
