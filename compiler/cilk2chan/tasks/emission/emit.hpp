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

/// A task with all that is known about it, ready to be written down.
struct finished_task {
  const task_function* task = nullptr;
  variable_usage usage;
  std::unique_ptr<liveness> live;
  lowered_function lowered;
  bool sums_up = false;
  std::vector<summed_array> summed;  // if it sums up in loops: where the results are
  frame_layout frame;

  [[nodiscard]] bool sums_up_in_loops() const {
    return sums_up && !task->leaf && !lowered.spawn_bound;
  }
};

/// Analyses and lowers one function.
[[nodiscard]] finished_task finish_task(const program& source, task_function& task);

/// The bodies of `enter` and `resume` (emit_nodes.cpp). `missing` gets the variables that `resume`
/// reads and that neither it nor the frame has.
void emit_enter(const program& source, const finished_task& task, writer& out);
void emit_resume(const program& source, const finished_task& task, writer& out,
                 variable_set& missing);

/// The struct of a task (emit_task.cpp). Its nodes begin with `first`.
void emit_task(const program& source, const finished_task& task, writer& out,
               const std::string& first = {});
/// The function that the rest of the program calls, which runs the task.
void emit_wrapper(const program& source, const finished_task& task, writer& out);
/// The declaration that stands where the function was defined.
[[nodiscard]] std::string prototype(const program& source, const task_function& task);

struct emit_options {
  std::string file;  // as the user named it
  bool line_directives = true;
};

/// The whole translated file (emit_file.cpp).
[[nodiscard]] std::string emit_file(const program& source, const std::vector<finished_task>& tasks,
                                    const emit_options& options);

}  // namespace cilk2chan
