#pragma once

#include "frontend/writer.hpp"
#include "tasks/lanes/lane_loop.hpp"
#include "tasks/lanes/printing.hpp"

namespace cilk2chan {

/// Writes a loop that all lanes of a wavefront come to together. They take its iterations in turn.
/// Where accesses of the loop have to be apart, they compare these first, and one lane runs the
/// loop if they are not, or `otherwise` is called to write what they run then. `number`: of the
/// loop among those that are written into one function.
void write_lane_loop(const program& source, const lane_loop& loop, const name_rules& rules,
                     unsigned number, writer& out, const std::function<void()>& otherwise = {});

}  // namespace cilk2chan
