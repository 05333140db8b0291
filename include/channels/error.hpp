#pragma once

#include "channels/config.hpp"  // CHANNELS_CXX20
#if CHANNELS_CXX20

#include <stdexcept>  // runtime_error

namespace channels {

/// The exception for every failure of the runtime. The message names what was wrong, with which
/// value, and what to change.
class error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace channels

#endif
