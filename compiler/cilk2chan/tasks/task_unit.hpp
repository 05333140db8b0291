#pragma once

#include "tasks/device/calls.hpp"
#include "tasks/task_plan.hpp"

namespace cilk2chan {

/// Writes the file of the tasks: the program's types and constants as they are, the tasks, the
/// functions that these call, and an entry for each function with a task form. It declares all
/// other functions and variables, which the host's file defines. Refuses what the two files cannot
/// share.
///
/// The file for devices is for their compilers, and for the host's compiler, which emulates a
/// device. It defines everything that its tasks call. They find the host's variables by their
/// addresses (device/unit.hpp).
enum class unit_kind { host, device };
/// `calls`: for devices; null if the program calls nothing through pointers.
[[nodiscard]] task_plan write_task_unit(const program& source,
                                        const std::vector<finished_task>& tasks,
                                        reference_finder& finder, const planned_file& file,
                                        unit_kind kind, const device_calls* calls = nullptr);

/// Refuses as `write_task_unit` does what the functions use that the two files cannot share. Needs
/// no more of the tasks than their functions.
void check_task_unit(const program& source, const std::vector<finished_task>& tasks,
                     reference_finder& finder, const planned_file& file, unit_kind kind);

/// Writes the entries, behind all of their tasks (task_entries.cpp).
void write_entries(const program& source, const std::vector<task_entry>& entries,
                   const planned_file& file, writer& out);
/// Writes the functions of a device that the entries call.
void write_forms(const program& source, const std::vector<task_entry>& entries, writer& out);

}  // namespace cilk2chan
