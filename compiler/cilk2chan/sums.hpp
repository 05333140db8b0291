#pragma once

#include "emit.hpp"

namespace cilk2chan {

/// Whether all that a task does after its sync is to add up the results of its children, each once,
/// and what no child can change; or nothing, if none of them has a result (`sums_up`,
/// channels/task.hpp).
[[nodiscard]] bool sums_up(const finished_task& task);

}  // namespace cilk2chan
