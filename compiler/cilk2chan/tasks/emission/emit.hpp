#pragma once

#include "analysis/join_points.hpp"
#include "analysis/summed_arrays.hpp"
#include "analysis/usage.hpp"
#include "frontend/program.hpp"
#include "frontend/writer.hpp"
#include "tasks/frame.hpp"
#include "tasks/lower.hpp"

#include <map>
#include <memory>
#include <string>

namespace cilk2chan {

/// A task with the results of all analyses, ready to be emitted.
struct finished_task {
  const task_function* task = nullptr;
  variable_usage usage;
  std::unique_ptr<liveness> live;
  lowered_function lowered;
  bool sums_up = false;
  std::vector<summed_array> summed;  // if it sums up in loops: the arrays of results
  frame_layout frame;

  [[nodiscard]] bool sums_up_in_loops() const {
    return sums_up && !task->leaf && !lowered.spawn_bound;
  }
};

class lane_forms;
struct task_lanes;

/// Analyses and lowers one function.
[[nodiscard]] finished_task finish_task(const program& source, task_function& task);

/// The bodies of `enter` and `resume` (nodes.cpp). `missing` gets the variables that `resume`
/// reads and neither declares nor has in the frame. `lanes`: what wavefronts of a GPU run together;
/// null for the host.
void emit_enter(const program& source, const finished_task& task, writer& out,
                const lane_forms* lanes = nullptr);
void emit_resume(const program& source, const finished_task& task, writer& out,
                 variable_set& missing, const lane_forms* lanes = nullptr);

/// The struct of a task (task.cpp). Each node begins with the text `first`. `serial_parts`: it says
/// that it has some (channels/task_traits.hpp).
void emit_task(const program& source, const finished_task& task, writer& out,
               const std::string& first = {}, const lane_forms* lanes = nullptr,
               bool serial_parts = false);
/// The function that runs the task, with the name and type of the original function.
void emit_wrapper(const program& source, const finished_task& task, writer& out);
/// The declaration that takes the place of the function's definition, without a semicolon.
[[nodiscard]] std::string prototype(const program& source, const task_function& task);

struct emit_options {
  std::string file;  // as the user named it
  bool line_directives = true;
};

/// The whole translated file (file.cpp).
[[nodiscard]] std::string emit_file(const program& source, const std::vector<finished_task>& tasks,
                                    const emit_options& options);

}  // namespace cilk2chan
