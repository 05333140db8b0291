#pragma once

#include "tasks/emission/emit.hpp"

namespace cilk2chan {

/// The kernel nodes that tasks become, and the channels between them, in DOT. Each channel has one
/// kernel node that consumes it.
[[nodiscard]] std::string graph_of(const program& source, const std::vector<finished_task>& tasks);

}  // namespace cilk2chan
