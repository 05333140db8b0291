#pragma once

#include <array>    // array
#include <cstdint>  // uint8_t

namespace channels::detail {

/// What the aggregator's thread does, in the order in which it does it in each turn of its loop.
enum class phase : std::uint8_t { collect, restart, decide, dispatch, lent, idle };

inline constexpr std::array<const char*, 6> phase_names{"collect",  "restart", "decide",
                                                        "dispatch", "lent",    "idle"};

}  // namespace channels::detail
