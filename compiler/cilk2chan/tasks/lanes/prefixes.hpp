#pragma once

#include "tasks/lanes/lane_loop.hpp"

namespace cilk2chan {

/// How a loop adds to the variable, an integer, once in each iteration, if lanes can add the terms
/// of many iterations before they run these: then an iteration may use the sum. Nothing if it does
/// so in another way.
[[nodiscard]] std::optional<prefix_sum> prefix_of(const loop_place& place,
                                                  const clang::ForStmt* loop,
                                                  const clang::VarDecl* variable);

}  // namespace cilk2chan
