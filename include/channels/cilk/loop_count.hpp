#pragma once

#include <cstddef>      // ptrdiff_t
#include <cstdint>      // uint64_t
#include <type_traits>  // what may be counted

#include "channels/config.hpp"

/// The counting of `cilk_for` loops.
namespace channels::cilk {

/// What differences of a loop's variable are counted in: one that is narrower than 64 bits may wrap
/// around on its way to a limit that it must not be equal to.
template <class Index, bool = std::is_integral_v<Index> && !std::is_same_v<Index, bool>>
struct counted_in {
  using type = std::uint64_t;
};
template <class Index>
struct counted_in<Index, true> {
  using type = std::make_unsigned_t<Index>;
};

/// The number of iterations of a loop from `first` to `limit` in steps of `step`. `any`: its
/// condition holds at `first`. `inclusive`: the condition is `<=` or `>=`. Any thread or lane calls
/// it.
template <class Index, class Limit>
CHANNELS_DEVICE std::uint64_t trips(bool any, const Index& first, const Limit& limit,
                                    std::int64_t step, bool inclusive) {
  if (!any || step == 0) return 0;
  const bool up = step > 0;
  const std::uint64_t stride =
      up ? static_cast<std::uint64_t>(step) : -static_cast<std::uint64_t>(step);
  std::uint64_t span = 0;
  if constexpr (std::is_floating_point_v<Limit>) {
    const Limit distance =
        up ? limit - static_cast<Limit>(first) : static_cast<Limit>(first) - limit;
    const auto whole = static_cast<std::uint64_t>(distance);
    // A step onto the limit itself counts only if the limit is part of the loop.
    span = whole + (inclusive || static_cast<Limit>(whole) != distance ? 1 : 0);
    return (span - 1) / stride + 1;
  } else if constexpr ((std::is_integral_v<Index> || std::is_enum_v<Index>) &&
                       (std::is_integral_v<Limit> || std::is_enum_v<Limit>)) {
    const auto from = static_cast<std::uint64_t>(first);
    const auto to = static_cast<std::uint64_t>(limit);
    span = static_cast<typename counted_in<Index>::type>(up ? to - from : from - to);
  } else {
    span = static_cast<std::uint64_t>(up ? limit - first : first - limit);
  }
  return inclusive ? span / stride + 1 : (span - 1) / stride + 1;
}

/// The control variable of a loop after `count` steps from `first`. Any thread or lane calls it.
template <class Index>
CHANNELS_DEVICE Index nth(const Index& first, std::uint64_t count, std::int64_t step) {
  if constexpr (std::is_integral_v<Index> || std::is_enum_v<Index>) {
    return static_cast<Index>(static_cast<std::uint64_t>(first) +
                              count * static_cast<std::uint64_t>(step));
  } else {
    return first + static_cast<std::ptrdiff_t>(count * static_cast<std::uint64_t>(step));
  }
}

/// The number of iterations that one task of a `cilk_for` of `trips` iterations runs in a row, if
/// the program sets no grain: enough to make halving cheap in comparison, and few enough to have
/// thousands of tasks. Any thread or lane calls it.
[[nodiscard]] CHANNELS_DEVICE constexpr std::uint64_t default_grain(std::uint64_t trips) {
  constexpr std::uint64_t pieces = 16384;
  constexpr std::uint64_t most = 2048;
  const std::uint64_t grain = trips / pieces + 1;
  return grain < most ? grain : most;
}

}  // namespace channels::cilk
