#pragma once

#include <cstdint>  // fixed-width integers

namespace channels {

/// How far a call of a task on another device is, by what its wavefronts have told of late.
struct call_progress {
  std::uint64_t tasks = 0;
  std::uint64_t yields = 0;
  std::uint64_t memory = 0;      ///< bytes in use, of `settings::memory`
  std::uint32_t working = 0;     ///< wavefronts that have something to do
  std::uint32_t wavefronts = 0;  ///< in all
};

}  // namespace channels
