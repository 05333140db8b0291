#pragma once

#include <cstdint>  // fixed-width integers

#include "channels/config.hpp"

namespace channels::detail {

/// What is kept of a batch that has ended, for statistics and trace. Many are booked at a time:
/// between two batches the caches fill with what kernels work on, and to read back the dozen lines
/// that statistics and trace use costs more than the booking itself. Times are ticks.
struct alignas(cache_line) ended_batch {
  std::uint64_t start;
  std::uint64_t end;
  std::uint32_t unit;
  std::uint32_t level;
  std::uint32_t count;     ///< elements
  std::uint32_t consumed;  ///< how many of them were consumed
  std::uint32_t waves;
  std::uint32_t lanes;  ///< lanes of the wavefronts that had an element
  std::uint32_t retries;
  std::uint32_t yields;
  std::uint32_t node;
  bool restarted;  ///< its elements had yielded or found no room before
};
static_assert(sizeof(ended_batch) == cache_line);

}  // namespace channels::detail
