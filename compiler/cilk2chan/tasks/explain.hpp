#pragma once

#include "tasks/emission/emit.hpp"

#include <llvm/Support/raw_ostream.h>

namespace cilk2chan {

/// How many of a program's functions that spawn or have a `cilk_for`, and of its `cilk_for`s, are
/// tasks.
struct task_counts {
  unsigned functions = 0;
  unsigned of_functions = 0;
  unsigned loops = 0;
  unsigned of_loops = 0;

  task_counts& operator+=(const task_counts& other);
};

/// The last line of `--explain`.
[[nodiscard]] std::string summary(const task_counts& counts);

/// Prints which functions became tasks, where each is split, and what its frame holds.
void explain(const program& source, const std::vector<finished_task>& tasks,
             llvm::raw_ostream& out);

}  // namespace cilk2chan
