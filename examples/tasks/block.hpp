#pragma once

#include <cstddef>  // ptrdiff_t

#include "channels/config.hpp"

namespace tasks {

/// A square block of a matrix: its first element, and the distance from one row to the next.
struct block {
  float* first;
  std::ptrdiff_t stride;

  [[nodiscard]] CHANNELS_DEVICE float* row(std::ptrdiff_t i) const { return first + i * stride; }
  /// The quadrant in row `i` and column `j`, 0 or 1, of a block of twice `half` rows.
  [[nodiscard]] CHANNELS_DEVICE block quadrant(int i, int j, std::ptrdiff_t half) const {
    return {row(i * half) + j * half, stride};
  }
};

/// The number of rows of a block is a multiple of this, the paper's base case.
inline constexpr std::ptrdiff_t block_unit = 16;

}  // namespace tasks
