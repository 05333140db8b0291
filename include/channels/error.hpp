#pragma once

#include <stdexcept>  // runtime_error

namespace channels {

/// What every failure of the runtime is thrown as. The message names what was wrong, with which
/// value, and what to change.
class error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace channels
