#pragma once

#include "tasks/task_plan.hpp"

namespace cilk2chan {

/// Writes the file of the tasks: the program's types and constants as they are, the tasks, the
/// functions that these call, and an entry for each. All other functions and variables are those of
/// the host's file. Refuses what cannot be had in common.
///
/// The file for devices is for their compilers, and for the host's, which emulates one. It has all
/// that its tasks call; they find variables of the host by their addresses (device_unit.hpp).
enum class unit_kind { host, device };
[[nodiscard]] task_plan write_task_unit(const program& source,
                                        const std::vector<finished_task>& tasks,
                                        reference_finder& finder, const planned_file& file,
                                        unit_kind kind);

/// The entries (task_entries.cpp), behind all of their tasks.
void write_entries(const program& source, const std::vector<task_entry>& entries,
                   const std::vector<std::string>& devices, writer& out);
/// What these call on a device.
void write_forms(const program& source, const std::vector<task_entry>& entries, writer& out);

}  // namespace cilk2chan
