#pragma once

#include "task_plan.hpp"

namespace cilk2chan {

/// Writes the file of the tasks: the program's types and constants as they are, the tasks, the
/// functions that these call, and an entry for each. All other functions and variables are those of
/// the host's file. Refuses what cannot be had in common.
[[nodiscard]] task_plan write_task_unit(const program& source,
                                        const std::vector<finished_task>& tasks,
                                        reference_finder& finder, const planned_file& file);

}  // namespace cilk2chan
