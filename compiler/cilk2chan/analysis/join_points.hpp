#pragma once

#include "frontend/program.hpp"

namespace cilk2chan {

/// Where a function has to wait for children that may still run.
struct join_points {
  llvm::DenseSet<const clang::Stmt*> syncs;    // that have children to wait for
  llvm::DenseSet<const clang::Stmt*> returns;  // with an implicit sync
  bool at_end = false;                         // the implicit sync where control falls off the end
};

/// Finds the statements that control can reach with children outstanding. Adds the statements
/// around returns that wait to `task.suspending`, and refuses those that cannot be lowered.
[[nodiscard]] join_points find_join_points(const program& source, task_function& task);

}  // namespace cilk2chan
