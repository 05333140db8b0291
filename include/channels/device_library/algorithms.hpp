#pragma once

#include <algorithm>   // lower_bound, rotate, upper_bound
#include <functional>  // less
#include <iterator>    // next

#include "channels/config.hpp"

/// Algorithms of C++'s library that it has for the host alone, because they may ask for memory. A
/// unit that calls one includes this file, and gives them their usual names. Any lane calls them.

// NOLINTNEXTLINE(cert-dcl58-cpp)
namespace std {

/// Merges two neighbouring runs by rotations: no lane has memory to spare, nor a deep stack. What
/// goes before the first run's rest changes places with it.
template <class Iterator, class Compare>
CHANNELS_DEVICE void channels_cilk_inplace_merge(Iterator first, Iterator middle, Iterator last,
                                                 Compare before) {
  while (middle != last) {
    first = std::upper_bound(first, middle, *middle, before);
    if (first == middle) return;
    const Iterator end = std::lower_bound(middle, last, *first, before);
    first = std::rotate(first, middle, end);
    middle = end;
  }
}
template <class Iterator>
CHANNELS_DEVICE void channels_cilk_inplace_merge(Iterator first, Iterator middle, Iterator last) {
  channels_cilk_inplace_merge(first, middle, last, std::less<>());
}

/// Sorts by merging neighbouring runs, without recursion.
template <class Iterator, class Compare>
CHANNELS_DEVICE void channels_cilk_stable_sort(Iterator first, Iterator last, Compare before) {
  const auto count = last - first;
  for (auto width = count - count + 1; width < count; width *= 2) {
    for (auto low = count - count; low + width < count; low += 2 * width) {
      const auto high = low + 2 * width < count ? low + 2 * width : count;
      channels_cilk_inplace_merge(first + low, first + (low + width), first + high, before);
    }
  }
}
template <class Iterator>
CHANNELS_DEVICE void channels_cilk_stable_sort(Iterator first, Iterator last) {
  channels_cilk_stable_sort(first, last, std::less<>());
}

}  // namespace std
