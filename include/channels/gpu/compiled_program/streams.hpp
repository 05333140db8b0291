#pragma once

#include <cstdio>  // printf

#include "channels/gpu/compiled_program/kept_messages.hpp"

/// fprintf and its like on stdout and stderr. What goes to stdout goes the way of `printf`. What
/// goes to stderr is kept as its format and arguments until the run is over: then the host prints
/// it, in the order in which lanes began to write. A unit gives these functions their usual names,
/// and the two streams too.
namespace channels::cilk {

inline namespace CHANNELS_CILK_ON {

/// Where lanes write to stderr. It is static, as malloc.hpp's are.
CHANNELS_CILK_ADDRESS(kept_messages, device_messages);

}  // namespace CHANNELS_CILK_ON

}  // namespace channels::cilk

/// What a unit has in the place of stdout, 1, and stderr, 2.
struct channels_cilk_stream {
  int number;
};

/// The result is 0, not the number of characters: the compiler takes no call that uses it.
template <class... Arguments>
static CHANNELS_DEVICE inline int channels_cilk_fprintf(channels_cilk_stream to, const char* format,
                                                        Arguments... arguments) {
  if (to.number == 1) {
    (void)printf(format, arguments...);
    return 0;
  }
#if defined(CHANNELS_GPU_EMULATED) || defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  channels::cilk::device_messages->write(format, arguments...);
#endif
  return 0;
}
static CHANNELS_DEVICE inline int channels_cilk_fputs(const char* text, channels_cilk_stream to) {
  return channels_cilk_fprintf(to, "%s", text);
}
static CHANNELS_DEVICE inline int channels_cilk_fputc(int letter, channels_cilk_stream to) {
  (void)channels_cilk_fprintf(to, "%c", letter);
  return static_cast<unsigned char>(letter);
}
static CHANNELS_DEVICE inline int channels_cilk_putc(int letter, channels_cilk_stream to) {
  return channels_cilk_fputc(letter, to);
}
/// What tasks print appears when the run is over.
static CHANNELS_DEVICE inline int channels_cilk_fflush(channels_cilk_stream /*of*/) { return 0; }

// NOLINTNEXTLINE(cert-dcl58-cpp)
namespace std {
using ::channels_cilk_fflush;
using ::channels_cilk_fprintf;
using ::channels_cilk_fputc;
using ::channels_cilk_fputs;
using ::channels_cilk_putc;
}  // namespace std
