#pragma once

#include "channels/config.hpp"

namespace channels::openmp {

/// In how many parts the iterations of a loop with a `reduction` are, at most `most`. Each part has
/// values of its own: for sections of arrays `length` elements, and a sum of all parts' elements
/// must not take longer than the loop itself.
CHANNELS_DEVICE constexpr long parts_of(long iterations, long length, long most) {
  const long useful = 16 + iterations / (1 + length);
  const long wanted = most < useful ? most : useful;
  return iterations < wanted ? iterations : wanted;
}

/// What a host has use for. It is the same on any number of workers, for the digits of sums.
inline constexpr long most_parts_on_host = 256;

}  // namespace channels::openmp
