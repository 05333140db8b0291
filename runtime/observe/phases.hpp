#pragma once

#include <array>    // array
#include <cstddef>  // size_t
#include <cstdint>  // uint8_t

namespace channels::detail {

/// What the aggregator's thread does, in the order in which it does it in each turn of its loop.
enum class phase : std::uint8_t { collect, restart, decide, dispatch, lent, idle };

inline constexpr std::array<const char*, 6> phase_names{"collect",  "restart", "decide",
                                                        "dispatch", "lent",    "idle"};

/// The argument of a `trace_event::type::phases` that has the ticks of each phase. The phases that
/// most turns have come first, so that the event takes one slot. Idle has no argument: it is the
/// rest of the duration.
inline constexpr std::array<std::size_t, 5> phase_argument{0, 4, 1, 2, 3};

}  // namespace channels::detail
