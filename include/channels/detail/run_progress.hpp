#pragma once

#include <cstdint>  // fixed-width integers

namespace channels::detail {

/// How far a run through channels is, for the progress line.
struct run_progress {
  std::uint64_t tasks = 0;   ///< elements consumed by work and pre-spawn nodes
  std::uint64_t yields = 0;  ///< frames and elements that found no room or memory
  std::uint64_t memory = 0;  ///< bytes of channels
  std::int64_t level = -1;   ///< the deepest level that holds anything
};

}  // namespace channels::detail
