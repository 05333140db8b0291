#pragma once

#include <unistd.h>  // _exit

#include <cstdint>  // fixed-width integers
#include <cstdlib>  // exit, quick_exit

#include "channels/gpu/port/atomic.hpp"
#include "channels/gpu/port/device_code.hpp"
#include "channels/gpu/port/trap.hpp"

/// exit and its like in the code of tasks: a lane tells the host, which ends the program.
namespace channels::cilk {

inline namespace CHANNELS_CILK_ON {

/// What a lane that ends the program tells the host. It is in pinned memory of the host, which can
/// be read when the device is lost.
struct program_end {
  enum class way : std::uint32_t { none, exit, quick_exit, at_once };

  /// The way in the upper half, the status in the lower one: of lanes that end the program at the
  /// same time one wins.
  std::uint64_t told = 0;

  /// One lane calls it. Makes it visible to the host.
  CHANNELS_GPU_INLINE void tell(way how, int status) {
    *const_cast<volatile std::uint64_t*>(&told) =
        static_cast<std::uint64_t>(how) << 32U | static_cast<std::uint32_t>(status);
    gpu::detail::release_to_system();
  }

  /// The host calls it after a run that failed: ends the program if a lane has told so.
  void obey() const {
    const std::uint64_t now = *const_cast<const volatile std::uint64_t*>(&told);
    const int status = static_cast<int>(static_cast<std::uint32_t>(now));
    switch (static_cast<way>(now >> 32U)) {
      case way::none: return;
      case way::exit: std::exit(status);
      case way::quick_exit: std::quick_exit(status);
      case way::at_once: ::_exit(status);
    }
  }
};

}  // namespace CHANNELS_CILK_ON

}  // namespace channels::cilk
