#pragma once

#include <cstdint>  // fixed-width integers
#include <string>   // string

#include "runtime/aggregator/run_context.hpp"

namespace channels::detail {

/// What the channels of a run hold, as a table: one line for each level and stack that holds
/// anything; of many levels, the first and the deepest. The channels must not change meanwhile.
[[nodiscard]] std::string describe_channels(const run_context& run, std::uint32_t in_flight);

/// The graph in the DOT language, with what its channels hold. The channels must not change
/// meanwhile.
[[nodiscard]] std::string draw_channels(const run_context& run);

}  // namespace channels::detail
