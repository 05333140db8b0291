#pragma once

// All headers of the standard library begin with this one. On the device they go the ways that
// constants take, as they do for nvcc (port/nvcc/builtins.hpp): what fills a vector, and what gives
// it memory, is then code for both. Nothing is thrown there, and Clang refuses what tries.

#pragma GCC system_header

#if defined(__HIP_DEVICE_COMPILE__)
#define __builtin_is_constant_evaluated() true
#undef __cpp_exceptions
#endif

#include_next <bits/c++config.h>
