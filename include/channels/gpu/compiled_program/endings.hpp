#pragma once

#include "channels/gpu/compiled_program/program_end.hpp"

/// Functions that end the program. A unit gives those that it calls their usual names, as it does
/// with functions.hpp's. Any lane calls them, and none comes back.
namespace channels::cilk {

inline namespace CHANNELS_CILK_ON {

/// Where a lane tells the host. It is static, as malloc.hpp's are.
CHANNELS_CILK_ADDRESS(program_end, device_program_end);

[[noreturn]] static CHANNELS_DEVICE inline void end_program([[maybe_unused]] program_end::way how,
                                                            [[maybe_unused]] int status) {
#if defined(CHANNELS_GPU_EMULATED) || defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  device_program_end->tell(how, status);
  gpu::detail::trap();
#endif
  __builtin_unreachable();
}

}  // namespace CHANNELS_CILK_ON

}  // namespace channels::cilk

[[noreturn]] static CHANNELS_DEVICE inline void channels_cilk_exit(int status) {
  channels::cilk::end_program(channels::cilk::program_end::way::exit, status);
}
[[noreturn]] static CHANNELS_DEVICE inline void channels_cilk_quick_exit(int status) {
  channels::cilk::end_program(channels::cilk::program_end::way::quick_exit, status);
}
[[noreturn]] static CHANNELS_DEVICE inline void channels_cilk__exit(int status) {
  channels::cilk::end_program(channels::cilk::program_end::way::at_once, status);
}
[[noreturn]] static CHANNELS_DEVICE inline void channels_cilk__Exit(int status) {
  channels_cilk__exit(status);
}

// NOLINTNEXTLINE(cert-dcl58-cpp)
namespace std {
using ::channels_cilk__Exit;
using ::channels_cilk_exit;
using ::channels_cilk_quick_exit;
}  // namespace std
