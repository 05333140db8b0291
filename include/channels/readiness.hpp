#pragma once

#include "channels/config.hpp"  // CHANNELS_CXX20
#if CHANNELS_CXX20

#include <cstdint>  // uint8_t

namespace channels {

/// When a frame may be resumed. `levelized`: nothing deeper than the frame is left; needs no
/// atomics, but waits for whole levels. `counted`: its join count is 0; waits for no other task,
/// but needs an atomic for each child.
enum class readiness : std::uint8_t { levelized, counted };

}  // namespace channels

#endif
