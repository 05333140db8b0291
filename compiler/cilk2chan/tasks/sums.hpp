#pragma once

#include "analysis/summed_arrays.hpp"
#include "analysis/usage.hpp"
#include "tasks/lower.hpp"

namespace cilk2chan {

/// Whether a task only returns a sum after its sync: of the results of its children, each once, and
/// of terms that no child can change. A task without a result returns nothing (`sums_up`,
/// channels/task.hpp).
[[nodiscard]] bool sums_up(const lowered_function& lowered, const variable_usage& usage);

/// The same for a task that spawns in loops and has its children's results in `arrays`.
[[nodiscard]] bool sums_up_in_loops(const lowered_function& lowered, const variable_usage& usage,
                                    const std::vector<summed_array>& arrays);

/// The most children for which such a task reserves room at once.
[[nodiscard]] unsigned most_at_once(const lowered_function& lowered);

}  // namespace cilk2chan
