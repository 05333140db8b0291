#pragma once

#include "tasks/emission/emit.hpp"

namespace cilk2chan {

/// Whether children can be given pointers into the frame of a task, other than to their results
/// (`shares_frame`, channels/task.hpp).
[[nodiscard]] bool shares_frame(const program& source, const finished_task& task);

/// Whether the results of all its children go into its frame (`results_in_frame`).
[[nodiscard]] bool keeps_results_in_frame(const finished_task& task);

/// Whether the way of a task on which it spawns nothing is short: no loop, and no call but of
/// functions that are short themselves (`quick_leaves`). False if there is no such way.
[[nodiscard]] bool has_quick_leaves(const finished_task& task);

/// Whether what a task does between its spawns is short in the same sense, but for `arrays` that
/// are added up.
[[nodiscard]] bool is_short(const lowered_function& lowered,
                            const std::vector<summed_array>& arrays);

}  // namespace cilk2chan
