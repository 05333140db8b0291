#pragma once

#include "frontend/program.hpp"

namespace cilk2chan {

/// Where a function has to wait for children that may still run.
struct join_points {
  llvm::DenseSet<const clang::Stmt*> syncs;    // the others have nothing to wait for
  llvm::DenseSet<const clang::Stmt*> returns;  // with an implicit sync
  bool at_end = false;                         // the implicit sync where control falls off the end
};

/// Follows which statements can be reached with children outstanding, and adds the statements
/// around waiting returns to `task.suspending`. Refuses what then cannot be lowered.
[[nodiscard]] join_points find_join_points(const program& source, task_function& task);

}  // namespace cilk2chan
