#pragma once

#include "tasks/lanes/lane_loop.hpp"

#include <optional>

namespace cilk2chan {

/// Whether the nest `loop` can keep what it stores in registers while the loop between runs, for
/// several rows at once: then what the rows read alike is read once. Whether rows are apart from
/// each other, and from all that the loop reads, is compared when it begins.
[[nodiscard]] std::optional<row_tile> find_row_tile(const loop_place& place, const lane_loop& loop);

}  // namespace cilk2chan
