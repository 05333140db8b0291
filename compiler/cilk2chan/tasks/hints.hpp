#pragma once

#include "tasks/emission/emit.hpp"

namespace cilk2chan {

/// Whether children may get pointers into the frame of a task, other than to their results
/// (`shares_frame`, channels/task.hpp).
[[nodiscard]] bool shares_frame(const program& source, const finished_task& task);

/// Whether the results of all children of a task go into its frame (`results_in_frame`).
[[nodiscard]] bool keeps_results_in_frame(const finished_task& task);

/// Whether a task is short when it spawns nothing: it has no loop, and calls only functions that
/// are short themselves (`quick_leaves`). False if the task always spawns.
[[nodiscard]] bool has_quick_leaves(const finished_task& task);

/// Whether it depends on memory, which may change, and not on the arguments alone, that a task with
/// quick leaves spawns nothing (`leaf_test_reads_memory`).
[[nodiscard]] bool leaf_test_reads_memory(const finished_task& task);

/// Whether a task is the iterations of a `cilk_for`, and these may take very different times:
/// they loop until something holds, call themselves, or call what does or is not known here
/// (`uneven_leaves`).
[[nodiscard]] bool has_uneven_leaves(const finished_task& task);

/// Whether a task has serial work before or behind its spawns that may take long (`serial_parts`):
/// it loops, or calls itself without a spawn, and writes to memory meanwhile. Base cases do not
/// count: they are short beside what is above them, and there are many at a time.
[[nodiscard]] bool has_serial_parts(const program& source, const finished_task& task);

/// Whether the code of a task between its spawns is short in the same sense as quick
/// leaves. The loops that add up
/// `arrays` do not count.
[[nodiscard]] bool is_short(const lowered_function& lowered,
                            const std::vector<summed_array>& arrays);

}  // namespace cilk2chan
