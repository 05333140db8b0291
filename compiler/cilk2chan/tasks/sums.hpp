#pragma once

#include "analysis/summed_arrays.hpp"
#include "analysis/usage.hpp"
#include "tasks/lower.hpp"

namespace cilk2chan {

/// Whether all that a task does after its sync is to add up the results of its children, each once,
/// and what no child can change; or nothing, if none of them has a result (`sums_up`,
/// channels/task.hpp).
[[nodiscard]] bool sums_up(const lowered_function& lowered, const variable_usage& usage);

/// The same of a task that spawns in loops, whose results go to `arrays`.
[[nodiscard]] bool sums_up_in_loops(const lowered_function& lowered, const variable_usage& usage,
                                    const std::vector<summed_array>& arrays);

/// The most children for which such a task makes sure of room at once.
[[nodiscard]] unsigned most_at_once(const lowered_function& lowered);

}  // namespace cilk2chan
